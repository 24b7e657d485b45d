"""What Python does with objects: attributes, classes and enumerations, asked of no rule."""
