"""What one client can do, wants and sends: its abilities, its user's settings, its messages."""
