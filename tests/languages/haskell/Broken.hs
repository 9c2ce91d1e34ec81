module Broken where

-- | Still fine.
good :: Int -> Int
good n = n + 1

bad :: Int ->
bad n = n )

data After = After Int
  deriving Show

later :: Int
later = 3
