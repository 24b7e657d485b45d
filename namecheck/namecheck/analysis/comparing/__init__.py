"""What calls of other files' functions gave, so that a later run can compare it after an edit."""
