{-# LANGUAGE CPP, GADTs, TypeFamilies, PatternSynonyms, TemplateHaskell #-}
module Types where

-- | Typed expressions.
data Expr a where
  -- | A literal.
  IntE  :: Int -> Expr Int
  BoolE :: Bool -> Expr Bool
  If    :: Expr Bool -> Expr a -> Expr a -> Expr a

type family Result a where
  Result Int = Integer
  Result a = a

type family Open a :: Type
data family Vec a
data instance Vec Int = VInt [Int]
type instance Open Int = Bool

data Color = Red | Green | Blue deriving (Show, Enum, Bounded)
data Void
newtype State s a = State (s -> (a, s))

pattern Pair :: a -> b -> (a, b)
pattern Pair x y = (x, y)

pattern Zero = 0

foreign import ccall unsafe "math.h sin" c_sin :: Double -> Double
foreign export ccall addInt :: Int -> Int -> Int

type (~>) f g = forall x. f x -> g x

class Monad m => MonadLog m where
  logMsg :: String -> m ()
  default logMsg :: MonadIO m => String -> m ()
  logMsg = liftIO . putStrLn

#ifdef DEBUG
debug :: String -> a -> a
debug = trace
#else
debug :: String -> a -> a
debug _ x = x
#endif

makeLenses ''Config

{- | Run a state action.

The second paragraph.
-}
runState :: State s a -> s -> (a, s)
runState (State f) s = f s

eval :: forall a. Expr a -> Result a
eval = go
  where
    go :: Expr b -> b
    go (IntE n) = n
    go (If c t e)
      | go c = go t
      | otherwise = go e

type role Ptr representational
