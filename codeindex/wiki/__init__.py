"""Knowledge that people and agents write down: pages of markdown in the repository itself.

A page is text for review in git. Which lines it rests on is in its front matter, so that it can be
told when they have changed.
"""
