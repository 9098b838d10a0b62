"""``python -m vancura`` is the program."""

from ._program import main

main()
