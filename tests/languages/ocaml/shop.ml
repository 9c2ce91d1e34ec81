(** Module doc *)
open Base
open Shop.Cart
include Comparable
module M = Map.Make (String)
module Inner = struct
  let x = 1
  let rec go n = if n = 0 then 1 else go (n - 1)
end
module type S = sig
  type t
  val create : unit -> t
  exception Bad of string
end
module Make (O : S) : S with type t = int = struct
  type t = int
  let create () = O.create ()
end
(** A color. *)
type color = Red | Green of int
and shape = { width : int; mutable height : float }
type 'a tree = Leaf | Node of 'a tree * 'a
exception Empty of string
external add : int -> int -> int = "caml_add"
(* plain *)
let total ?(scale = 1) ~by items = List.fold_left ( + ) 0 items |> Inner.go
let limit = 10
let f = function
  | Red -> 0
  | Green n when n > 0 && true -> n
  | _ -> 1
let (>>=) a b = a
let () = print_endline "x"; Cart.add ~x:1 y
class counter init = object (self)
  inherit base init as super
  val mutable count = init
  method incr = count <- count + 1; self#get
  method private get = count
end
class type ct = object method m : int end
let%test "adds" = total [1] = 1
let r = { width = 1; height = 2. }
let w = r.width
let local x = let y = x.Shop.width in let module L = List in let open M in match y with 0 -> L.length [] | n -> n
let obj = new counter 1
type r2 = color list
type v = [ `A | `B of int ]
