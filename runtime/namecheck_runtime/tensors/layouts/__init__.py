"""Layouts other than strided, registered as a third party registers one (`backends`)."""
