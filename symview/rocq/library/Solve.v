(** Search without hints: rewriting, then names for quotients, then nia. *)
From Coq Require Import ZArith Lia Zeuclid.
From Symview Require Import Definitions Symview Steps.
Open Scope Z_scope.

Lemma sv_abs a : Z.abs a = Z.max a (0 - a). Proof. lia. Qed.
Ltac sv_unfold :=
  unfold ceildiv, wrap in *;
  repeat match goal with
  | H : context [Z.abs _] |- _ => rewrite sv_abs in H
  | H : context [_ mod _] |- _ => rewrite sv_mod in H
  | H : context [Z.rem _ _] |- _ => rewrite sv_rem in H
  | H : context [ZEuclid.modulo _ _] |- _ => rewrite sv_emod in H
  end.

Lemma sv_div_unique_pos x y q r : 0 <= r < y -> x = y * q + r -> x / y = q.
Proof. intros; symmetry; apply Z.div_unique_pos with r; auto. Qed.
Lemma sv_div_unique_neg x y q r : y < r <= 0 -> x = y * q + r -> x / y = q.
Proof. intros; symmetry; apply Z.div_unique_neg with r; auto. Qed.
Lemma sv_div_div x c d : c <> 0 -> 0 < d -> (x / c) / d = x / (c * d).
Proof.
  intros Hc Hd; pose proof (sv_floor x c) as F; set (q := x / c) in *; clearbody q.
  pose proof (Z.div_mod q d ltac:(lia)); pose proof (Z.mod_pos_bound q d Hd).
  set (q2 := q / d) in *; set (r2 := q mod d) in *; clearbody q2 r2; symmetry.
  destruct F as [|[F|F]]; [lia| |].
  - apply sv_div_unique_pos with (x - c * q + c * r2); nia.
  - apply sv_div_unique_neg with (x - c * q + c * r2); nia.
Qed.
Lemma sv_mod_mul_div x k c : 0 < k -> 0 < c -> (x mod (k * c)) / c = (x / c) mod k.
Proof.
  intros; rewrite (Z.mul_comm k c), Z.rem_mul_r by lia.
  replace (x mod c + c * ((x / c) mod k)) with (x mod c + ((x / c) mod k) * c) by ring.
  rewrite Z.div_add by lia; rewrite Z.div_small; [lia|apply Z.mod_pos_bound; lia].
Qed.
Lemma sv_mul_div g x y : g <> 0 -> (g * x) / (g * y) = x / y.
Proof. intros; destruct (Z.eq_dec y 0) as [->|]; [rewrite Z.mul_0_r, !Zdiv_0_r; auto|apply Z.div_mul_cancel_l; auto]. Qed.
Lemma sv_mul_mod g x y : (g * x) mod (g * y) = g * (x mod y).
Proof.
  destruct (Z.eq_dec g 0) as [->|]; [reflexivity|]; rewrite !sv_mod, sv_mul_div by auto; ring. Qed.
Lemma sv_add_mul_div x d y : d <> 0 -> (d * x + y) / d = x + y / d.
Proof. intros; rewrite Z.add_comm, (Z.mul_comm d), Z.div_add by auto; lia. Qed.
(** Quotients by one divisor differ as their dividends do, rounded: the fact that nia needs most often. *)
Lemma sv_apart e y : (Z.abs (e * y) < Z.abs y) -> e = 0.
Proof. rewrite Z.abs_mul; intros; destruct (Z.eq_dec e 0); auto; exfalso; nia. Qed.

(** A remainder below the greatest common divisor does not count. *)
Lemma sv_below_gcd r v d : 0 <= v -> v < Z.gcd r d -> 0 < d -> (r + v) / d = r / d.
Proof.
  intros V G D; destruct (Z.gcd_divide_l r d) as [u U], (Z.gcd_divide_r r d) as [w W].
  set (g := Z.gcd r d) in *; clearbody g; subst r d.
  assert (0 < w) by nia; rewrite Z.div_mul_cancel_r by lia.
  apply sv_div_unique_pos with ((u mod w) * g + v); pose proof (Z.mod_pos_bound u w ltac:(lia)).
  - nia.
  - pose proof (Z.div_mod u w ltac:(lia)); nia.
Qed.

Ltac sv_split :=
  intros; repeat match goal with
  | H : _ /\ _ |- _ => destruct H
  | |- _ /\ _ => split
  | |- _ <-> _ => split; intro
  | |- ~ _ => intro
  | |- _ -> _ => intro
  end.
Ltac sv_inner t := lazymatch t with
  | context [_ / _] => fail | context [Z.quot _ _] => fail | context [ZEuclid.div _ _] => fail | context [_ mod _] => fail | _ => idtac end.
Ltac sv_known D b :=  (* keep the case of the divisor's sign *)
  first [ assert (0 < b) by (assumption || lia || nia);
          destruct D as [D|[[? ?]|[? ?]]]; [exfalso; lia| |exfalso; lia]
        | assert (b < 0) by (assumption || lia || nia);
          destruct D as [D|[[? ?]|[? ?]]]; [exfalso; lia|exfalso; lia| ]
        | destruct D as [D|[[? ?]|[? ?]]]; [try (exfalso; lia || nia)| | ] ].
Ltac sv_quotients := repeat match goal with
  | |- context [?a / ?b] => sv_inner a; sv_inner b; let D := fresh in pose proof (sv_floor a b) as D;
      let q := fresh "q" in set (q := a / b) in *; clearbody q; sv_known D b
  | H : context [?a / ?b] |- _ => sv_inner a; sv_inner b; let D := fresh in pose proof (sv_floor a b) as D;
      let q := fresh "q" in set (q := a / b) in *; clearbody q; sv_known D b
  | |- context [ZEuclid.div ?a ?b] => sv_inner a; sv_inner b; let D := fresh in pose proof (sv_euclid a b) as D;
      let q := fresh "q" in set (q := ZEuclid.div a b) in *; clearbody q; destruct D as [D|[? ?]]; [try (exfalso; lia)|]
  | H : context [ZEuclid.div ?a ?b] |- _ => sv_inner a; sv_inner b; let D := fresh in pose proof (sv_euclid a b) as D;
      let q := fresh "q" in set (q := ZEuclid.div a b) in *; clearbody q; destruct D as [D|[? ?]]; [try (exfalso; lia)|]
  | |- context [Z.quot ?a ?b] => sv_inner a; sv_inner b; let D := fresh in pose proof (sv_trunc a b) as D;
      let q := fresh "q" in set (q := Z.quot a b) in *; clearbody q; destruct D as [D|[(? & ? & ?)|(? & ? & ?)]]; [try (exfalso; lia)| |]
  | H : context [Z.quot ?a ?b] |- _ => sv_inner a; sv_inner b; let D := fresh in pose proof (sv_trunc a b) as D;
      let q := fresh "q" in set (q := Z.quot a b) in *; clearbody q; destruct D as [D|[(? & ? & ?)|(? & ? & ?)]]; [try (exfalso; lia)| |]
  end.
Ltac sv_end :=
  first [ lia | timeout 4 nia | exfalso; timeout 4 nia
        | lazymatch goal with |- ?x = ?y => destruct (Z.lt_trichotomy x y) as [?|[?|?]]; [exfalso; timeout 6 nia|assumption|exfalso; timeout 6 nia] end ].
Ltac sv_rewrite := repeat first
  [ rewrite sv_div_div in * by (lia || nia) | rewrite sv_mod_mul_div in * by (lia || nia)
  | rewrite sv_mul_div in * by (lia || nia) | rewrite sv_mul_mod in * | rewrite sv_add_mul_div in * by (lia || nia) ].
Ltac sv_facts := sv_unfold; rewrite ?sv_abs, ?sv_mod, ?sv_rem, ?sv_emod; sv_quotients; subst; sv_end.
(** One guess: a quotient equals another one, or a sum of two; both other cases are absurd. *)
Ltac sv_lin := first [lia | timeout 2 nia].
Ltac sv_guess := first
  [ match goal with _ : context [_ * ?q], v : Z |- _ => is_var q; tryif constr_eq q v then fail else
      solve [destruct (Z.lt_trichotomy q v) as [?|[?|?]]; [exfalso; sv_lin|subst; sv_lin|exfalso; sv_lin]] end
  | match goal with _ : context [_ * ?q], v : Z, w : Z |- _ => is_var q;
      tryif first [constr_eq q v|constr_eq q w|constr_eq v w] then fail else
      solve [destruct (Z.lt_trichotomy q (v + w)) as [?|[?|?]]; [exfalso; sv_lin|subst; sv_lin|exfalso; sv_lin]] end ].
Ltac sv_pose_deny := lazymatch goal with |- False => idtac | _ => let N := fresh in sv_deny N end.
Ltac sv_last := sv_split; sv_unfold; rewrite ?sv_abs, ?sv_mod, ?sv_rem, ?sv_emod; sv_pose_deny; sv_quotients; subst; first [sv_end | sv_guess].
Ltac sv_once := sv_split; first [ solve [sv_facts] | sv_rewrite; first [reflexivity | lia | f_equal; ring | sv_facts] ].
(** Bits: numbers are equal if all their bits are; sums of numbers are linear in the bits that they share. *)
Ltac sv_by_bit :=
  intros; apply Z.bits_inj'; intros n' low';
  repeat first [ rewrite Z.lxor_spec | rewrite Z.lor_spec | rewrite Z.land_spec | rewrite Z.ldiff_spec
               | rewrite Z.lnot_spec by exact low' | rewrite Z.bits_0 | rewrite Z.bits_m1 by exact low' ];
  repeat match goal with |- context [Z.testbit ?a n'] => destruct (Z.testbit a n') end; reflexivity.
Lemma sv_shared a b : Z.land a b + Z.ldiff a b = a.
Proof. rewrite Z.add_nocarry_lxor; sv_by_bit. Qed.
Lemma sv_lxor a b : Z.lxor a b = a + b - 2 * Z.land a b.
Proof.
  pose proof (sv_shared a b); pose proof (sv_shared b a); rewrite (Z.land_comm b a) in *.
  assert (Z.lxor a b = Z.ldiff a b + Z.ldiff b a) by (rewrite Z.add_nocarry_lxor; sv_by_bit); lia.
Qed.
Lemma sv_lor a b : Z.lor a b = a + b - Z.land a b.
Proof.
  pose proof (sv_lxor a b); assert (Z.lor a b = Z.lxor a b + Z.land a b) by (rewrite Z.add_nocarry_lxor; sv_by_bit); lia.
Qed.
Lemma sv_land_le a b : 0 <= a -> 0 <= Z.land a b /\ Z.land a b <= a.
Proof.
  intros A; pose proof (sv_shared a b); pose proof (proj2 (Z.land_nonneg a b) (or_introl A)).
  pose proof (proj2 (Z.ldiff_nonneg a b) (or_introl A)); lia.
Qed.
Lemma sv_land_le' a b : 0 <= b -> 0 <= Z.land a b /\ Z.land a b <= b.
Proof. rewrite Z.land_comm; apply sv_land_le. Qed.
Lemma sv_land_low a k : 0 <= k -> Z.land a (2 ^ k - 1) = a mod 2 ^ k.
Proof. intros K; rewrite <- Z.land_ones, Z.ones_equiv by exact K; f_equal. Qed.
Lemma sv_land_high a k : 0 <= k -> Z.land a (- 2 ^ k) = a - a mod 2 ^ k.
Proof.
  intros K; rewrite <- sv_land_low by exact K; pose proof (sv_shared a (2 ^ k - 1)).
  replace (- 2 ^ k) with (Z.lnot (2 ^ k - 1)) by (unfold Z.lnot; lia); rewrite <- Z.ldiff_land; lia.
Qed.
Lemma sv_power k : 0 <= k -> 2 ^ k >= 1.
Proof. intros K; pose proof (Z.pow_pos_nonneg 2 k ltac:(lia) K); lia. Qed.

(** Multiples: a divisor of each part divides the whole; products of remainders. *)
Lemma sv_multiple x y : (y | x) -> x mod y = 0 /\ Z.rem x y = 0 /\ (y <> 0 -> ZEuclid.modulo x y = 0).
Proof.
  intros [q ->]; destruct (Z.eq_dec y 0) as [->|Y]; [rewrite Z.mul_0_r; repeat split; auto; lia|].
  rewrite Z.mod_mul, Z.rem_mul by exact Y; repeat split; intros _.
  pose proof (sv_euclid (q * y) y) as [?|[L U]]; [contradiction|rewrite sv_emod].
  set (e := ZEuclid.div (q * y) y) in *.
  assert (q - e = 0) by (apply sv_apart with y; rewrite (Z.mul_sub_distr_r q e y), (Z.mul_comm e y); lia); nia.
Qed.
Ltac sv_divides := solve [ repeat first
  [ assumption | apply Z.divide_refl | apply Z.divide_0_r | apply Z.gcd_divide_l | apply Z.gcd_divide_r
  | apply Z.divide_add_r | apply Z.divide_sub_r | match goal with |- (_ | - _) => apply Z.divide_opp_r end
  | solve [apply Z.divide_mul_l; sv_divides] | solve [apply Z.divide_mul_r; sv_divides] ] ].
Ltac sv_multiples := intros; first
  [ refine (proj1 (sv_multiple _ _ _)); sv_divides | refine (proj1 (proj2 (sv_multiple _ _ _))); sv_divides
  | refine (proj2 (proj2 (sv_multiple _ _ _)) _); [sv_divides|lia]
  | rewrite ?Z.mul_mod_idemp_l, ?Z.mul_mod_idemp_r, ?Z.mul_rem_idemp_l, ?Z.mul_rem_idemp_r by lia; reflexivity ].
Ltac sv_shifts := sv_split; rewrite ?Z.shiftl_mul_pow2, ?Z.shiftr_div_pow2 by lia; first [reflexivity | ring].
Lemma sv_quot_shift a k : 0 <= k -> (if a <? 0 then - Z.shiftr (- a) k else Z.shiftr a k) = Z.quot a (2 ^ k).
Proof.
  intros K; pose proof (Z.pow_pos_nonneg 2 k ltac:(lia) K); rewrite !Z.shiftr_div_pow2 by lia.
  destruct (Z.ltb_spec a 0); rewrite <- Z.quot_div_nonneg by lia; [rewrite Z.quot_opp_l by lia; lia|reflexivity].
Qed.
Lemma sv_rem_sign a y : y >= 1 -> (if a <? 0 then - ((- a) mod y) else a mod y) = Z.rem a y.
Proof.
  intros Y; destruct (Z.ltb_spec a 0); rewrite <- Z.rem_mod_nonneg by lia; [rewrite Z.rem_opp_l by lia; lia|reflexivity].
Qed.
Lemma sv_ediv_le x b c : 0 <= x -> 0 < b <= c -> ZEuclid.div x c <= ZEuclid.div x b.
Proof.
  intros; unfold ZEuclid.div; rewrite !Z.sgn_pos, !Z.abs_eq, !Z.mul_1_l by lia; apply Z.div_le_compat_l; lia. Qed.
(** Division by a product and a shift: the factor is the power over the divisor, rounded up. *)
Lemma sv_magic x n m d p e : 0 <= x <= n -> 1 <= d -> 0 <= e -> m * d = p + e -> n * e < p -> (x * m) / p = x / d.
Proof.
  intros X D E M P; pose proof (Z.div_mod x d ltac:(lia)); pose proof (Z.mod_pos_bound x d ltac:(lia)).
  set (q := x / d) in *; set (r := x mod d) in *; clearbody q r.
  apply sv_div_unique_pos with (x * m - p * q); [|lia].
  assert (0 <= x * e /\ x * e <= n * e) as [? ?] by nia.
  assert (d * (x * m - p * q) = p * r + x * e) by nia; split; nia.
Qed.
Ltac sv_known_lemma := intros; first
  [ apply sv_below_gcd; lia | apply sv_quot_shift; lia | apply sv_rem_sign; lia | apply Z.div_le_compat_l; lia | apply Z.quot_le_compat_l; lia
  | apply sv_ediv_le; lia ].
(** Shifts and bits as products, quotients and remainders; facts about powers of two and shared bits. *)
Ltac sv_mask_of a n := first
  [ let k := eval vm_compute in (Z.log2 (n + 1)) in let p := eval vm_compute in (2 ^ k) in
    let e := fresh in assert (e : Z.land a n = a mod p) by exact (sv_land_low a k ltac:(lia)); rewrite e in *; clear e
  | let k := eval vm_compute in (Z.log2 (- n)) in let p := eval vm_compute in (2 ^ k) in
    let e := fresh in assert (e : Z.land a n = a - a mod p) by exact (sv_land_high a k ltac:(lia)); rewrite e in *; clear e ].
Ltac sv_land_of a b := first
  [ constr_eq a b; rewrite (Z.land_diag a) in *
  | lazymatch b with 2 ^ ?k - 1 => rewrite (sv_land_low a k) in * by lia | Zpos _ => sv_mask_of a b | Zneg _ => sv_mask_of a b end
  | lazymatch a with 2 ^ _ - 1 => idtac | Zpos _ => idtac | Zneg _ => idtac end; rewrite (Z.land_comm a b) in *; sv_land_of b a ].
Ltac sv_arithmetic := repeat first
  [ rewrite Z.shiftl_mul_pow2 in * by lia | rewrite Z.shiftr_div_pow2 in * by lia
  | rewrite sv_lor in * | rewrite sv_lxor in *
  | match goal with |- context [Z.land ?a ?b] => sv_land_of a b | _ : context [Z.land ?a ?b] |- _ => sv_land_of a b end ].
Ltac sv_bit_facts := repeat
  match goal with
  | |- context [Z.land ?a ?b] => pose proof (sv_land_le a b); pose proof (sv_land_le' a b); let z := fresh "z" in set (z := Z.land a b) in *; clearbody z
  | |- context [2 ^ ?k] => pose proof (sv_power k ltac:(lia)); let z := fresh "z" in set (z := 2 ^ k) in *; clearbody z
  end.
Ltac sv_bitwise := intros; progress sv_arithmetic; first
  [ reflexivity | ring | lia | solve [sv_multiples] | solve [eapply sv_magic; eauto; lia] | sv_bit_facts; first [ lia | solve [sv_known_lemma] | solve [sv_once] | solve [sv_last] ] ].
Ltac symview_solve := solve [ sv_shifts | sv_by_bit | sv_multiples | sv_known_lemma | sv_bitwise | sv_once | sv_last ].
