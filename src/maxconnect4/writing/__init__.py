"""How what the program has found is written for others: texts, pages, tables and pictures that do no harm."""
