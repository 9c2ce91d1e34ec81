-- name: GetAccount :one
-- Fetch one account.
SELECT * FROM accounts WHERE id = $1;

/* Monthly report.

   Read by the dashboard. */
CREATE VIEW report AS
WITH monthly AS (
    SELECT account_id, sum(total) AS total FROM invoices GROUP BY account_id
), ranked AS (
    SELECT *, rank() OVER (ORDER BY total DESC) AS place FROM monthly
)
SELECT * FROM ranked WHERE place <= 10;

create table if not exists lower_case (
    id integer primary key autoincrement, -- the row
    body text not null default ''
) ;

CREATE VIRTUAL TABLE words USING fts5(body);

UPDATE accounts SET name = 'x' WHERE id IN (SELECT id FROM lower_case);
