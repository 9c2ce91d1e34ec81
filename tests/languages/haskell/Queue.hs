{-# LANGUAGE DerivingStrategies #-}
{-# LANGUAGE LambdaCase #-}

-- |
-- Module      : Data.Queue
-- Description : Two-list queues
module Data.Queue
  ( Queue
  , empty
  , push
  , (|>)
  ) where

import qualified Data.Map.Strict as Map
import Data.Foldable (toList)

infixl 5 |>

-- | A first-in, first-out queue.
--
-- Invariant: the front is empty only if the queue is.
data Queue a = Queue
  { front :: [a]      -- ^ in order
  , back  :: ![a]     -- ^ reversed
  }
  deriving stock (Eq, Show)

data Shape
  = Circle Double
  | Rect { width, height :: Double }
  | Shape :+: Shape
  deriving (Eq)

-- | Why a queue could not be read.
newtype ParseError = ParseError { unParseError :: String }
  deriving newtype (Show)

type Name = String
type Table k v = Map.Map k [v]

-- | Containers that can be drained.
class Foldable f => Drain f where
  type Elem f :: *
  -- | Take everything out.
  drain :: f a -> ([a], f a)
  size, weight :: f a -> Int
  size = length . toList
  weight = size
  {-# MINIMAL drain #-}

instance Drain Queue where
  type Elem Queue = ()
  drain q = (toList q, empty)
  size (Queue f b) = length f + length b

instance Foldable Queue where
  foldr f z (Queue xs ys) = foldr f (foldr f z (reverse ys)) xs

instance (Semigroup a, Monoid a) => Monoid (Wrapped a) where
  mempty = Wrapped mempty

deriving instance Ord a => Ord (Queue a)

-- | The queue without elements.
empty :: Queue a
empty = Queue [] []

-- | Add an element at the end.
push :: a -> Queue a -> Queue a
push x (Queue [] []) = Queue [x] []
push x (Queue f b) = Queue f (x : b)
{-# INLINE push #-}

(|>) :: Queue a -> a -> Queue a
q |> x = push x q

pop :: Queue a -> Maybe (a, Queue a)
pop = \case
  Queue [] _ -> Nothing
  Queue (x : xs) b -> Just (x, rebuild xs b)
  where
    rebuild [] ys = Queue (reverse ys) []
    rebuild xs ys = Queue xs ys

collatz :: Int -> Int
collatz 1 = 0
-- The even step.
collatz n
  | even n = 1 + collatz (n `div` 2)
  | otherwise = 1 + collatz (3 * n + 1)

first', second' :: (a, a) -> a
first' = fst
second' (_, y) = y

x `plus` y = x + y

(lower, upper) = (0, 10)

defaultSize = 16

main :: IO ()
main = do
  let loop n = print n >> loop (n + 1)
  loop 0
