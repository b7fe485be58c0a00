//! Values of the host's variables, as far as they are known.

use std::collections::BTreeMap;
use std::sync::Arc;

#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) enum Value {
    #[default]
    Unknown,
    Int(i64),
    Real(f64),
    Text(String),
    /// The name of a type.
    Type(String),
    /// A place in a buffer of the GPU. `size` is the size of an element.
    Device {
        buffer: usize,
        offset: i64,
        size: Option<i64>,
    },
    /// The address of a variable, or of one of its members or elements.
    Address(usize, Vec<String>),
    /// An array: its length, and its first elements.
    List(Option<i64>, Arc<Vec<Value>>),
    Fields(BTreeMap<String, Value>),
    /// A kernel, with its template arguments.
    Kernel(String),
    /// The number of a lambda.
    Lambda(usize),
}

impl Value {
    /// Returns three extents, as of `dim3`.
    pub(super) fn dim(extents: [Value; 3]) -> Self {
        Self::Fields(["x", "y", "z"].map(str::to_owned).into_iter().zip(extents).collect())
    }

    /// Returns the extents of a grid or block, if all are known.
    pub(crate) fn extents(&self) -> Option<[u32; 3]> {
        match self {
            Self::Fields(fields) => {
                let of = |name: &str| fields.get(name).map_or(Some(1), Self::count);
                Some([of("x")?, of("y")?, of("z")?])
            }
            other => other.count().map(|n| [n, 1, 1]),
        }
    }

    fn count(&self) -> Option<u32> {
        self.int().and_then(|n| u32::try_from(n).ok())
    }

    pub(crate) fn int(&self) -> Option<i64> {
        match self {
            Self::Int(n) => Some(*n),
            Self::Real(n) if n.is_finite() => Some(*n as i64),
            _ => None,
        }
    }

    pub(super) fn real(&self) -> Option<f64> {
        match self {
            Self::Int(n) => Some(*n as f64),
            Self::Real(n) => Some(*n),
            _ => None,
        }
    }

    pub(super) fn truth(&self) -> Option<bool> {
        match self {
            Self::Unknown | Self::Fields(_) | Self::Type(_) => None,
            Self::Int(n) => Some(*n != 0),
            Self::Real(n) => Some(*n != 0.0),
            _ => Some(true),
        }
    }

    /// Converts to a type: integers truncate and wrap.
    pub(super) fn cast(self, ty: &str) -> Self {
        match self {
            Self::Int(n) if is_real(ty) => Self::Real(if ty == "float" { f64::from(n as f32) } else { n as f64 }),
            Self::Real(n) if ty == "float" => Self::Real(f64::from(n as f32)),
            Self::Real(n) if !is_real(ty) && size_of(ty).is_some() => Self::Int(n as i64).cast(ty),
            Self::Int(n) => match ty {
                "bool" => Self::Int(i64::from(n != 0)),
                "char" | "signed char" | "int8_t" => Self::Int((n as i8).into()),
                "unsigned char" | "uint8_t" | "uchar" => Self::Int((n as u8).into()),
                "short" | "int16_t" => Self::Int((n as i16).into()),
                "unsigned short" | "uint16_t" | "ushort" => Self::Int((n as u16).into()),
                "int" | "int32_t" => Self::Int((n as i32).into()),
                "unsigned int" | "uint32_t" | "uint" | "unsigned" => Self::Int((n as u32).into()),
                _ => self,
            },
            Self::Device { buffer, offset, size } => {
                let to = ty.strip_suffix('*').map(str::trim).filter(|to| *to != "void").and_then(size_of);
                Self::Device { buffer, offset, size: to.or(size) }
            }
            other => other,
        }
    }

    /// Applies a binary operator.
    #[expect(clippy::needless_pass_by_value, reason = "an operator takes both of its values")]
    pub(super) fn binary(self, sign: &str, other: Self) -> Self {
        let known = |yes: bool| Self::Int(i64::from(yes));
        match (sign, self.truth(), other.truth()) {
            ("&&", Some(false), _) | ("&&", _, Some(false)) => return known(false),
            ("||", Some(true), _) | ("||", _, Some(true)) => return known(true),
            ("&&" | "||", Some(left), Some(right)) => {
                return known(if sign == "&&" { left && right } else { left || right });
            }
            _ => {}
        }
        let found = match (&self, &other) {
            (Self::Int(a), Self::Int(b)) => integers(sign, *a, *b).map(Self::Int),
            (Self::Int(_) | Self::Real(_), Self::Int(_) | Self::Real(_)) => {
                let (a, b) = (self.real().unwrap_or(0.0), other.real().unwrap_or(0.0));
                match sign {
                    "+" => Some(Self::Real(a + b)),
                    "-" => Some(Self::Real(a - b)),
                    "*" => Some(Self::Real(a * b)),
                    "/" => Some(Self::Real(a / b)),
                    _ => compare(sign, a.partial_cmp(&b)).map(known),
                }
            }
            (Self::Device { buffer, offset, size: Some(size) }, Self::Int(by)) if matches!(sign, "+" | "-") => {
                let by = by.checked_mul(if sign == "-" { -size } else { *size });
                let offset = by.and_then(|by| offset.checked_add(by));
                offset.map(|offset| Self::Device { buffer: *buffer, offset, size: Some(*size) })
            }
            (Self::Address(variable, fields), Self::Int(by)) if matches!(sign, "+" | "-") => {
                fields.split_last().and_then(|(at, outer)| {
                    let at = integers(sign, at.parse().ok()?, *by)?;
                    Some(Self::Address(*variable, [outer, &[at.to_string()]].concat()))
                })
            }
            // Memory that was allocated is not null.
            (Self::Device { .. } | Self::List(..) | Self::Address(..) | Self::Text(_), Self::Int(0)) => match sign {
                "==" => Some(known(false)),
                "!=" => Some(known(true)),
                _ => None,
            },
            _ => None,
        };
        found.unwrap_or_default()
    }
}

fn compare(sign: &str, order: Option<std::cmp::Ordering>) -> Option<bool> {
    let order = order?;
    Some(match sign {
        "==" => order.is_eq(),
        "!=" => order.is_ne(),
        "<" => order.is_lt(),
        ">" => order.is_gt(),
        "<=" => order.is_le(),
        ">=" => order.is_ge(),
        _ => return None,
    })
}

fn integers(sign: &str, a: i64, b: i64) -> Option<i64> {
    let shift = u32::try_from(b).ok().filter(|by| *by < 64);
    match sign {
        "+" => a.checked_add(b),
        "-" => a.checked_sub(b),
        "*" => a.checked_mul(b),
        "/" => a.checked_div(b),
        "%" => a.checked_rem(b),
        "&" => Some(a & b),
        "|" => Some(a | b),
        "^" => Some(a ^ b),
        "<<" => shift.and_then(|by| a.checked_mul(1i64.checked_shl(by).filter(|one| *one > 0)?)),
        ">>" => shift.map(|by| a >> by),
        _ => compare(sign, Some(a.cmp(&b))).map(i64::from),
    }
}

fn is_real(ty: &str) -> bool {
    matches!(ty, "float" | "double" | "long double")
}

/// Returns the size of a type of C++ or CUDA in bytes.
pub(super) fn size_of(ty: &str) -> Option<i64> {
    let ty = ty.trim_start_matches("std::").trim_start_matches("::").trim();
    if ty.ends_with('*') {
        return Some(8);
    }
    Some(match ty {
        "void" | "bool" | "char" | "signed char" | "unsigned char" | "int8_t" | "uint8_t" | "uchar" => 1,
        "short" | "unsigned short" | "int16_t" | "uint16_t" | "ushort" | "half" | "__half" | "__nv_bfloat16" => 2,
        "nv_bfloat16" | "__nv_bfloat162_raw" => 2,
        "int" | "unsigned" | "unsigned int" | "int32_t" | "uint32_t" | "uint" | "float" | "half2" | "__half2" => 4,
        "__nv_bfloat162" | "nv_bfloat162" => 4,
        "long" | "unsigned long" | "long long" | "unsigned long long" | "int64_t" | "uint64_t" | "size_t" => 8,
        "ssize_t" | "ptrdiff_t" | "intptr_t" | "uintptr_t" | "double" | "ulong" | "clock_t" => 8,
        "long double" => 16,
        _ => {
            let (base, count) = ty.split_at(ty.len().checked_sub(1)?);
            let count: i64 = count.parse().ok().filter(|n| (1..=4).contains(n))?;
            let part = match base {
                "char" | "uchar" => 1,
                "short" | "ushort" => 2,
                "int" | "uint" | "float" => 4,
                "long" | "ulong" | "longlong" | "ulonglong" | "double" => 8,
                _ => return None,
            };
            // Three elements take no padding.
            part * count
        }
    })
}
