-- Accounts and what they own.
BEGIN;

CREATE SCHEMA IF NOT EXISTS billing;
CREATE EXTENSION IF NOT EXISTS "uuid-ossp";

CREATE TYPE billing.status AS ENUM ('open', 'paid', 'void');
CREATE TYPE address AS (street text, city text);
CREATE DOMAIN email AS text CHECK (VALUE ~ '@');
CREATE SEQUENCE invoice_number START 1000;

-- One row per customer.
-- Rows are never deleted.
CREATE TABLE IF NOT EXISTS billing.accounts (
    id          bigserial PRIMARY KEY,
    email       text NOT NULL UNIQUE,
    -- Kept for the auditors.
    created_at  timestamptz NOT NULL DEFAULT now(),
    "display name" varchar(80),
    balance     numeric(12, 2) CHECK (balance >= 0),
    CONSTRAINT email_has_at CHECK (position('@' IN email) > 1)
);

/* Invoices, one per month. */
CREATE TABLE invoices (
    id uuid PRIMARY KEY DEFAULT uuid_generate_v4(),
    account_id bigint NOT NULL REFERENCES billing.accounts (id) ON DELETE CASCADE,
    state billing.status,
    total numeric
);

CREATE TEMPORARY TABLE scratch AS SELECT * FROM invoices;

CREATE UNIQUE INDEX CONCURRENTLY accounts_email_idx ON billing.accounts (lower(email));
CREATE INDEX invoices_account ON invoices USING btree (account_id);

CREATE OR REPLACE VIEW billing.open_invoices AS
SELECT i.id, a.email
FROM invoices i
JOIN billing.accounts a ON a.id = i.account_id
WHERE i.state = 'open';

CREATE MATERIALIZED VIEW monthly_totals AS
SELECT date_trunc('month', now()) AS month, sum(total) AS total FROM invoices GROUP BY 1;

ALTER TABLE invoices ADD COLUMN due_on date;

-- Sum of what an account owes.
CREATE OR REPLACE FUNCTION billing.owed(account bigint)
RETURNS numeric
LANGUAGE sql STABLE
AS $$
    SELECT coalesce(sum(total), 0) FROM invoices WHERE account_id = account;
$$;

CREATE FUNCTION touch() RETURNS trigger AS $body$
DECLARE
    changed timestamptz := now();
BEGIN
    NEW.updated_at := changed;
    RETURN NEW;
END;
$body$ LANGUAGE plpgsql;

CREATE TRIGGER accounts_touch
    BEFORE UPDATE ON billing.accounts
    FOR EACH ROW EXECUTE FUNCTION touch();

CREATE PROCEDURE close_month(month date)
LANGUAGE plpgsql
AS $$
BEGIN
    UPDATE invoices SET state = 'void' WHERE total = 0;
END;
$$;

CREATE ROLE reporting;
CREATE POLICY own_rows ON invoices USING (account_id = 1);

INSERT INTO billing.accounts (email) VALUES ('ada@example.org');

COMMIT;
