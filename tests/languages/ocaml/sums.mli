(** Sums. *)
val total : ?scale:int -> int list -> int
type t = private { x : int }
module type S = sig type t end
module Inner : sig val go : int -> int end
module Make (O : S) : S
exception Bad
class counter : int -> object method incr : unit end
