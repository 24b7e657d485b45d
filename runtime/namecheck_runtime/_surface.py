"""The names of the methods that tensors get from the registry.

Type checkers read the class of the methods in the stub beside this module.  Both are written by
`tests/data/write_surface.py`.
"""

from __future__ import annotations

from typing import Any, Final

Dims: Final = ()


class Methods:
    """The class that has the methods for type checkers; at run time an empty base."""

    def __class_getitem__(cls, dims: Any) -> type:
        return object


METHODS: Final = """
H T __array__ __getitem__ __iter__ __len__ __matmul__ __setitem__ abs abs_ absolute absolute_ acos
acos_ acosh acosh_ add add_ addbmm addbmm_ addcdiv addcdiv_ addcmul addcmul_ addmm addmm_ addmv
addmv_ addr addr_ adjoint align_as align_to all allclose amax amin aminmax angle any arccos
arccos_ arccosh arccosh_ arcsin arcsin_ arcsinh arcsinh_ arctan arctan2 arctan2_ arctan_ arctanh
arctanh_ argmax argmin argsort argwhere as_strided as_strided_ as_strided_scatter as_subclass asin
asin_ asinh asinh_ atan atan2 atan2_ atan_ atanh atanh_ backward baddbmm baddbmm_ bernoulli
bernoulli_ bfloat16 bincount bitwise_and bitwise_and_ bitwise_left_shift bitwise_left_shift_
bitwise_not bitwise_not_ bitwise_or bitwise_or_ bitwise_right_shift bitwise_right_shift_
bitwise_xor bitwise_xor_ bmm bool broadcast_to byte cauchy_ cdouble ceil ceil_ cfloat chalf char
cholesky cholesky_inverse cholesky_solve chunk clamp clamp_ clamp_max clamp_max_ clamp_min
clamp_min_ clip clip_ clone coalesce combinations conj conj_physical conj_physical_ contiguous
conv_tbc copy_ copysign copysign_ corrcoef cos cos_ cosh cosh_ count_nonzero cov cpu cross cuda
cummax cummin cumprod cumprod_ cumsum cumsum_ data data_ptr deg2rad deg2rad_ dense_dim dequantize
det detach detach_ device diag diag_embed diagflat diagonal diagonal_scatter diff digamma digamma_
dim dist div div_ divide divide_ dot double dsplit dtype element_size eq eq_ equal erf erf_ erfc
erfc_ erfinv erfinv_ exp exp2 exp2_ exp_ expand expand_as expm1 expm1_ exponential_ fill_
fill_diagonal_ fix fix_ flatten flip fliplr flipud float float_power float_power_ floor floor_
floor_divide floor_divide_ fmax fmin fmod fmod_ frac frac_ frexp gather gcd gcd_ ge ge_ geometric_
geqrf ger get_device grad grad_fn greater greater_ greater_equal greater_equal_ gt gt_ half
hardshrink hardshrink_ has_names heaviside heaviside_ histc histogram hsplit hypot hypot_ i0 i0_
igamma igamma_ igammac igammac_ imag index_add index_add_ index_copy index_copy_ index_fill
index_fill_ index_put index_put_ index_reduce index_reduce_ index_select indices inner int inverse
ipu is_coalesced is_complex is_conj is_contiguous is_cpu is_cuda is_floating_point is_inference
is_leaf is_meta is_mps is_neg is_nonzero is_pinned is_quantized is_same_size is_set_to is_shared
is_signed is_sparse is_sparse_csr is_xpu isclose isfinite isfinite_ isinf isinf_ isnan isnan_
isneginf isneginf_ isposinf isposinf_ isreal istft item itemsize kron kthvalue layout lcm lcm_
ldexp ldexp_ le le_ lerp lerp_ less less_ less_equal less_equal_ lgamma lgamma_ log log10 log10_
log1p log1p_ log2 log2_ log_ log_normal_ log_softmax logaddexp logaddexp2 logcumsumexp
logcumsumexp_ logdet logical_and logical_and_ logical_not logical_not_ logical_or logical_or_
logical_xor logical_xor_ logit logit_ logsumexp long lt lt_ lu lu_solve mH mT masked_fill
masked_fill_ masked_scatter masked_scatter_ masked_select matmul matrix_exp matrix_power max
maximum mean median min minimum mm mode moveaxis movedim msort mul mul_ multinomial multiply
multiply_ mv mvlgamma mvlgamma_ names nan_to_num nan_to_num_ nanmean nanmedian nanquantile nansum
narrow narrow_copy nbytes ndim ndimension ne ne_ neg neg_ negative negative_ nelement new_empty
new_empty_strided new_full new_ones new_tensor new_zeros nextafter nextafter_ nonzero norm normal_
not_equal not_equal_ numel numpy orgqr ormqr outer permute pin_memory pinverse polygamma
polygamma_ positive pow pow_ prelu prelu_ prod put put_ qr quantile rad2deg rad2deg_ random_ ravel
real reciprocal reciprocal_ refine_names register_hook relu relu_ remainder remainder_ rename
rename_ renorm renorm_ repeat repeat_interleave requires_grad requires_grad_ reshape reshape_as
resize resize_ resize_as_ resolve_conj resolve_neg retain_grad retains_grad roll rot90 round
round_ rsqrt rsqrt_ scatter scatter_ scatter_add scatter_add_ scatter_reduce scatter_reduce_
select select_scatter set_ sgn sgn_ shape share_memory_ short sigmoid sigmoid_ sign sign_ signbit
signbit_ sin sin_ sinc sinc_ sinh sinh_ size slice_scatter slogdet softmax sort sparse_dim split
split_with_sizes sqrt sqrt_ square square_ squeeze squeeze_ std stft storage storage_offset stride
sub sub_ subtract subtract_ sum sum_to_size svd swapaxes swapaxes_ swapdims swapdims_ t t_ take
take_along_dim tan tan_ tanh tanh_ tensor_split tile to to_dense to_mkldnn to_sparse tolist topk
trace transpose transpose_ triangular_solve tril tril_ triu triu_ true_divide true_divide_ trunc
trunc_ type type_as unbind unflatten unfold uniform_ unique unique_consecutive unsafe_chunk
unsafe_split unsafe_split_with_sizes unsqueeze unsqueeze_ untyped_storage values var vdot view
view_as vsplit where xlogy xlogy_ xpu zero_
""".split()  # noqa: SIM905
