"""The language engine: endings, stances, phrases, values, numerals."""
