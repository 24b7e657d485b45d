"""One self-contained page of HTML: findings as cards, and the source with its dims.

`document` puts a page together, `cards` makes the findings, `listing` the source. The style and the
behaviour of a page stand beside them; nothing is fetched from anywhere. Elements are those of
`xml.etree`, which escapes what files contain.
"""
