"""Trains Vancura's network with PyTorch: the same records, recipes and checkpoints as the command `trainer`."""


class InputError(Exception):
    """What was given cannot be used; the message says what and where."""
