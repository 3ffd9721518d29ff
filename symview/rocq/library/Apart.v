(** Places of elements: all are different, by sorting them; and the ways of reading them.  No axioms. *)
From Coq Require Import ZArith Lia List Bool Orders Mergesort Permutation Sorted.
From Symview Require Import Definitions Steps Views.
Import ListNotations.
Open Scope Z_scope.

Module SvOrder <: TotalLeBool.
  Definition t := Z.
  Definition leb := Z.leb.
  Lemma leb_total : forall x y, leb x y = true \/ leb y x = true.
  Proof. intros x y; unfold leb; lia. Qed.
End SvOrder.
Module SvSort := Sort SvOrder.
Fixpoint sv_rises (l : list Z) : bool :=
  match l with x :: ((y :: _) as l') => (x <? y) && sv_rises l' | _ => true end.
Lemma sv_rises_above l : forall x, sv_rises (x :: l) = true -> forall y, In y l -> x < y.
Proof.
  induction l as [|z l IH]; intros x R y I; [destruct I|].
  apply andb_true_iff in R; destruct R as [R R']; destruct I as [->|I]; [lia|].
  specialize (IH z R' y I); lia.
Qed.
Lemma sv_rises_nodup l : sv_rises l = true -> NoDup l.
Proof.
  induction l as [|x l IH]; intros R; constructor.
  - intros I; pose proof (sv_rises_above l x R x I); lia.
  - apply IH; destruct l; [reflexivity|apply andb_true_iff in R; tauto].
Qed.
Lemma sv_nodup_map {A} (f : A -> Z) l : NoDup (map f l) -> forall x y, In x l -> In y l -> f x = f y -> x = y.
Proof.
  induction l as [|z l IH]; simpl; intros N x y X Y E; [tauto|].
  apply NoDup_cons_iff in N; destruct N as [N N'].
  destruct X as [<-|X], Y as [<-|Y]; auto; exfalso; apply N; [rewrite E|rewrite <- E]; apply in_map; auto.
Qed.
Lemma sv_apart (f : list Z -> Z) s :
  sv_rises (SvSort.sort (map f (sv_indices s))) = true ->
  forall x y, in_box s x -> in_box s y -> f x = f y -> x = y.
Proof.
  intros R x y X Y; apply (sv_nodup_map f (sv_indices s)); try apply sv_in_indices; auto.
  eapply Permutation_NoDup; [apply Permutation_sym, SvSort.Permuted_sort|apply sv_rises_nodup, R].
Qed.
(** A property of every index, by computation. *)
Lemma sv_at_all (f g : list Z -> Z) s :
  forallb (fun i => f i =? g i) (sv_indices s) = true -> forall i, in_box s i -> f i = g i.
Proof. rewrite forallb_forall; intros H i B; apply Z.eqb_eq, H, sv_in_indices, B. Qed.

(** An access that reads anything has at least one way, wherever the elements are. *)
Lemma sv_max_ge l x : In x l -> x <= fold_right Z.max 0 l.
Proof. induction l as [|y l IH]; simpl; [tauto|intros [->|I]; [lia|specialize (IH I); lia]]. Qed.
Lemma sv_run n : forall x i, In i (run n x) <-> x <= i < x + Z.of_nat n.
Proof. induction n; intros; simpl; [lia|rewrite IHn; lia]. Qed.
Lemma sv_first_word element width x : 0 < element -> 0 < width -> In (x * element / width) (words element width x).
Proof.
  intros E W; unfold words; cbv zeta; apply sv_run.
  pose proof (Z.div_le_mono (x * element) ((x + 1) * element - 1) width W ltac:(lia)); lia.
Qed.
Lemma sv_one_way element banks width phase p :
  0 < element -> 0 < banks -> 0 < width -> In p phase -> 1 <= ways element banks width phase.
Proof.
  intros E B W I; unfold ways; cbv zeta.
  set (read := map (fun w => w mod banks) (nodup Z.eq_dec (flat_map (words element width) phase))).
  assert (Q : In ((p * element / width) mod banks) read).
  { apply (in_map (fun w => w mod banks)), nodup_In, in_flat_map; exists p; split; [exact I|apply sv_first_word; auto]. }
  apply Z.le_trans with (Z.of_nat (count_occ Z.eq_dec read ((p * element / width) mod banks))).
  - apply (count_occ_In Z.eq_dec) in Q; lia.
  - apply sv_max_ge, (in_map (fun b => Z.of_nat (count_occ Z.eq_dec read b))), sv_run.
    pose proof (Z.mod_pos_bound (p * element / width) banks B); lia.
Qed.
Lemma sv_any_place element banks width (place : list Z -> Z) access :
  0 < element -> 0 < banks -> 0 < width -> hd [] access <> [] ->
  1 <= most_ways element banks width (map (map place) access).
Proof.
  intros E B W A; destruct access as [|[|x phase] access]; [destruct A; reflexivity..|].
  apply Z.le_trans with (ways element banks width (map place (x :: phase))).
  - apply sv_one_way with (place x); auto; simpl; auto.
  - apply sv_max_ge; simpl; auto.
Qed.
