"""What a tensor is made of: a dtype, a device, a storage, a tuple of names."""
