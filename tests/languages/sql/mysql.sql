# Orders of the shop
CREATE DATABASE `shop`;
USE shop;

DROP TABLE IF EXISTS `orders`;
CREATE TABLE `orders` (
  `id` int(11) NOT NULL AUTO_INCREMENT,
  `state` enum('new','done') DEFAULT 'new',
  `note` text COMMENT 'free text',
  PRIMARY KEY (`id`),
  KEY `idx_state` (`state`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE order_lines (order_id INT, sku VARCHAR(20));

CREATE VIEW `recent` AS SELECT * FROM `orders` WHERE id > 10;

CREATE TABLE archive LIKE orders;
