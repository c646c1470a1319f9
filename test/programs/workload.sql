-- A workload for SQLite: tables, indexes, joins, windows, recursion, text, numbers, transactions, errors.
PRAGMA page_size = 1024;
CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT NOT NULL, born INTEGER, city TEXT);
CREATE TABLE payment (id INTEGER PRIMARY KEY, person INTEGER REFERENCES person, amount REAL, day TEXT);
BEGIN;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
  INSERT INTO person SELECT i, 'person ' || (i * 7919 % 20011), 1900 + i % 120,
    CASE i % 5 WHEN 0 THEN 'Oslo' WHEN 1 THEN 'Lima' WHEN 2 THEN 'Cairo' WHEN 3 THEN NULL ELSE 'Bern' END FROM n;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60000)
  INSERT INTO payment SELECT i, i * 104729 % 20000 + 1, (i * 31 % 10007) / 8.0,
    date('2000-01-01', '+' || (i % 4000) || ' days') FROM n;
COMMIT;
CREATE INDEX by_name ON person (name);
CREATE INDEX by_person ON payment (person, day);
ANALYZE;
SELECT count(*), sum(born), min(name), max(name) FROM person;
SELECT city, count(*), round(avg(born), 3) FROM person GROUP BY city ORDER BY 2, 1;
SELECT p.name, count(*), total(amount) FROM person p JOIN payment q ON q.person = p.id
  GROUP BY p.id HAVING count(*) > 2 ORDER BY 3 DESC, 1 LIMIT 10;
SELECT day, amount, round(sum(amount) OVER (ORDER BY day, id ROWS 3 PRECEDING), 2), rank() OVER (ORDER BY amount)
  FROM payment WHERE person = 77 OR person = 4242 ORDER BY day, id;
SELECT strftime('%Y', day) AS year, round(sum(amount), 1) FROM payment GROUP BY year ORDER BY year;
EXPLAIN QUERY PLAN SELECT * FROM payment WHERE person = 5 AND day > '2003-01-01';
UPDATE payment SET amount = amount * 1.1 WHERE person IN (SELECT id FROM person WHERE city = 'Lima');
DELETE FROM payment WHERE day LIKE '%-02-%';
SELECT count(*), round(sum(amount), 4) FROM payment;
SAVEPOINT a;
DELETE FROM person;
ROLLBACK TO a;
SELECT count(*) FROM person WHERE city IS NULL;
CREATE TRIGGER audit AFTER DELETE ON person BEGIN INSERT INTO payment (person, amount, day) VALUES (old.id, 0, 'gone'); END;
DELETE FROM person WHERE id % 1000 = 1;
SELECT count(*) FROM payment WHERE day = 'gone';
CREATE VIRTUAL TABLE words USING fts5(body);
INSERT INTO words SELECT name || ' lives in ' || coalesce(city, 'nowhere') FROM person WHERE id < 500;
SELECT count(*) FROM words WHERE words MATCH 'lima OR cairo';
SELECT json_extract('{"a": [1, 2.5, {"b": "x"}]}', '$.a[2].b'), json_array_length('[1,2,3]'),
  json_group_array(born) FROM (SELECT born FROM person WHERE id < 6);
SELECT printf('%08.3f|%x|%-5s|%e', 3.14159, 255, 'ab', 12345.678), length(randomblob(7)), quote(x'0102ff');
SELECT 9223372036854775807 + 0, -9223372036854775808, 1e308 * 10, 7 / 2, -7 / 2, -7 % 3, 7.0 / 2, 1 << 40;
SELECT upper('straße'), length('naïve'), instr('hello', 'l'), replace('banana', 'an', 'x'), substr('sqlite', -3);
WITH RECURSIVE
  x(i, cx) AS (SELECT 0, -2.0 UNION ALL SELECT i + 1, cx + 0.06 FROM x WHERE cx < 1.0),
  y(k, cy) AS (SELECT 0, -1.0 UNION ALL SELECT k + 1, cy + 0.1 FROM y WHERE cy < 1.0),
  m(n, cx, cy, a, b) AS (SELECT 0, cx, cy, 0.0, 0.0 FROM x, y
    UNION ALL SELECT n + 1, cx, cy, a * a - b * b + cx, 2.0 * a * b + cy FROM m WHERE a * a + b * b < 4.0 AND n < 28),
  t(n, cx, cy) AS (SELECT max(n), cx, cy FROM m GROUP BY cx, cy)
  SELECT group_concat(substr(' .+*#', 1 + min(n / 7, 4), 1), '') FROM t GROUP BY cy;
INSERT INTO person (id, name) VALUES (2, 'again');
SELECT nonsense FROM person;
