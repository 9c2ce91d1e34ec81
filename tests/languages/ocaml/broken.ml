(** Sound. *)
let first x = x + 1
let torn = match x with
  | A -> (
type t = { a : int
let last y = y
module M = struct let z = 1 end
