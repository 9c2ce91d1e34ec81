-- name: GetAccount :one
-- Fetch one account.
SELECT * FROM accounts WHERE id = $1;

/* Monthly report. */
WITH monthly AS (
    SELECT account_id, sum(total) AS total FROM invoices GROUP BY account_id
), ranked AS (
    SELECT *, rank() OVER (ORDER BY total DESC) AS place FROM monthly
)
SELECT * FROM ranked WHERE place <= 10;

CREATE TABLE #staging (id INT);
CREATE TABLE [dbo].[Users] ([Id] INT IDENTITY(1,1), [Name] NVARCHAR(50));
GO
CREATE TABLE after_go (id INT);
