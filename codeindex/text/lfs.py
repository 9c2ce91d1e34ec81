"""Recognise the pointers that git LFS has in place of files whose content is elsewhere."""

LFS_POINTER = "version https://git-lfs.github.com/spec/"
"""Start of the text of a pointer, which is a file in place of content that was not downloaded."""
