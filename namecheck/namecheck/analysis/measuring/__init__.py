"""What calls take and give, for `namecheck summary`: modules, multiply-adds, exact dtypes."""
