module QueueSpec (spec) where

import Test.Hspec

spec :: Spec
spec = do
  describe "push" $ do
    it "keeps the order" $
      toList (push 1 empty) `shouldBe` [1]
    prop "grows by one" $ \xs -> length (push 0 xs) === length xs + 1

prop_reverse :: [Int] -> Bool
prop_reverse xs = reverse (reverse xs) == xs
