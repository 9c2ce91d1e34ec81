CREATE TABLE good (id int, name text);

CREATE TABLE half (id int,, name text);

CREATE TABLE later (id int);

SELEC * FROM good;

CREATE VIEW good_names AS SELECT name FROM good;
