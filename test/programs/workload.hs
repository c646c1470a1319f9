{-# LANGUAGE LambdaCase #-}

-- | A text for the Haskell grammar, whose scanner keeps track of layout: types, classes, guards, nested blocks.
module Workload
  ( Shape (..)
  , Expr (..)
  , eval
  , run
  ) where

import Control.Monad (forM_, unless, when)
import Data.List (sortBy)
import qualified Data.Map.Strict as Map
import Data.Maybe (fromMaybe, mapMaybe)

data Shape
  = Square { side :: !Double }
  | Circle { radius :: !Double }
  deriving (Eq, Show)

class Measured a where
  area :: a -> Double
  area _ = 0
  name :: a -> String

instance Measured Shape where
  area = \case
    Square s -> s * s
    Circle r -> pi * r ^ (2 :: Int)
  name (Square _) = "square"
  name Circle {} = "circle"

data Expr a where
  Number :: Int -> Expr Int
  Truth :: Bool -> Expr Bool
  Add :: Expr Int -> Expr Int -> Expr Int
  If :: Expr Bool -> Expr a -> Expr a -> Expr a
  Less :: Expr Int -> Expr Int -> Expr Bool

eval :: Expr a -> a
eval (Number n) = n
eval (Truth b) = b
eval (Add x y) = eval x + eval y
eval (Less x y) = eval x < eval y
eval (If c t e)
  | eval c = eval t
  | otherwise = eval e

infixr 5 +++
(+++) :: [a] -> [a] -> [a]
xs +++ ys = foldr (:) ys xs

collatz :: Int -> [Int]
collatz 1 = [1]
collatz n
  | even n, let half = n `div` 2 = n : collatz half
  | otherwise = n : collatz (3 * n + 1)

primes :: [Int]
primes = sieve [2 ..]
  where
    sieve (p : rest) = p : sieve [x | x <- rest, x `mod` p /= 0]
    sieve [] = []

newtype State s a = State { runState :: s -> (a, s) }

instance Functor (State s) where
  fmap f (State g) = State $ \s -> let (a, s') = g s in (f a, s')

instance Applicative (State s) where
  pure a = State $ \s -> (a, s)
  State f <*> State g = State $ \s ->
    let (h, s1) = f s
        (a, s2) = g s1
     in (h a, s2)

instance Monad (State s) where
  State g >>= f = State $ \s -> case g s of
    (a, s') -> runState (f a) s'

count :: String -> Map.Map Char Int
count = foldr (\c -> Map.insertWith (+) c 1) Map.empty

run :: IO ()
run = do
  let shapes = [Square 2, Circle 1.5e0]
      total = sum (map area shapes)
  forM_ shapes $ \s -> do
    putStrLn (name s ++ ": " ++ show (area s))
    when (area s > 5) $
      putStrLn "  large"
  if total > 10
    then putStrLn "much"
    else do
      putStr "little: "
      print total
  let table = sortBy (\(_, a) (_, b) -> compare b a) . Map.toList $ count "a text \"with\" \955 and \x3bb"
  unless (null table) . print . take 3 $ table
  print $ mapMaybe (`lookup` zip [1 ..] (takeWhile (< 0x20) primes)) [1, 5, 100]
  print . fromMaybe 0 $ do
    longest <- safeLast (collatz 27)
    pure (longest + negate 1)
  where
    safeLast [] = Nothing
    safeLast xs = Just (last xs)
