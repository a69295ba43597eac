//! The numbers a slot accepts.

/// An interval of numbers, each end open, closed or absent. Only finite numbers lie in it.
///
/// The lower end must not lie above the upper one, and some number must lie between two exclusive ends.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Range {
    pub min: Option<f64>,
    pub max: Option<f64>,
    pub min_exclusive: bool,
    pub max_exclusive: bool,
}

impl Range {
    /// Every finite number.
    pub const ANY: Self = Self {
        min: None,
        max: None,
        min_exclusive: false,
        max_exclusive: false,
    };

    /// `min` and more.
    pub const fn at_least(min: f64) -> Self {
        Self {
            min: Some(min),
            ..Self::ANY
        }
    }

    /// More than `min`.
    pub const fn above(min: f64) -> Self {
        Self {
            min: Some(min),
            min_exclusive: true,
            ..Self::ANY
        }
    }

    /// From `min` to `max`, both included.
    pub const fn between(min: f64, max: f64) -> Self {
        Self {
            min: Some(min),
            max: Some(max),
            ..Self::ANY
        }
    }

    /// Whether the number is finite and lies in the range.
    pub fn contains(&self, value: f64) -> bool {
        value.is_finite() && !self.is_below(value) && !self.is_above(value)
    }

    /// The range in words, to follow "must be": `greater than 0`, `0 to 1`, `at least 3`.
    pub fn describe(&self) -> String {
        let low = self.min.map(|min| match self.min_exclusive {
            true => format!("greater than {min}"),
            false => format!("at least {min}"),
        });
        let high = self.max.map(|max| match self.max_exclusive {
            true => format!("less than {max}"),
            false => format!("at most {max}"),
        });
        match (low, high, self.min, self.max) {
            (Some(_), Some(_), Some(min), Some(max))
                if !self.min_exclusive && !self.max_exclusive =>
            {
                format!("{min} to {max}")
            }
            (Some(low), Some(high), ..) => format!("{low} and {high}"),
            (Some(only), None, ..) | (None, Some(only), ..) => only,
            (None, None, ..) => String::from("a finite number"),
        }
    }

    /// The number of the range to go on with when `value` is none of them: the end it lies beyond, or,
    /// when there is no such end, the one nearest 0. Beside an exclusive end a billionth is left.
    pub fn nearest(&self, value: f64) -> f64 {
        if self.contains(value) {
            return value;
        }
        match (self.min, self.max) {
            (Some(min), _) if self.is_below(value) => self.inside_min(min),
            (_, Some(max)) if self.is_above(value) => self.inside_max(max),
            _ if value == 0.0 => 0.0,
            _ => self.nearest(0.0),
        }
    }

    fn is_below(&self, value: f64) -> bool {
        self.min
            .is_some_and(|min| value < min || (self.min_exclusive && value == min))
    }

    fn is_above(&self, value: f64) -> bool {
        self.max
            .is_some_and(|max| value > max || (self.max_exclusive && value == max))
    }

    fn inside_min(&self, min: f64) -> f64 {
        if self.min_exclusive {
            min + self.margin(min)
        } else {
            min
        }
    }

    fn inside_max(&self, max: f64) -> f64 {
        if self.max_exclusive {
            max - self.margin(max)
        } else {
            max
        }
    }

    /// A distance from an exclusive end that is small but survives a division.
    fn margin(&self, end: f64) -> f64 {
        let small = 1e-9 * if end.abs() > 1.0 { end.abs() } else { 1.0 };
        match (self.min, self.max) {
            (Some(min), Some(max)) if (max - min) / 2.0 < small => (max - min) / 2.0,
            _ => small,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OPEN: Range = Range {
        min_exclusive: true,
        max_exclusive: true,
        ..Range::between(-1.0, 1.0)
    };

    #[test]
    fn it_contains_what_its_words_say() {
        assert!(!Range::above(0.0).contains(0.0));
        assert!(Range::above(0.0).contains(1e-300));
        assert!(Range::between(0.0, 1.0).contains(1.0));
        assert!(!OPEN.contains(1.0) && !OPEN.contains(-1.0) && OPEN.contains(0.0));
        assert!(!Range::ANY.contains(f64::INFINITY) && !Range::ANY.contains(f64::NAN));
    }

    #[test]
    fn it_says_itself_in_words() {
        assert_eq!(Range::above(0.0).describe(), "greater than 0");
        assert_eq!(Range::between(0.0, 1.0).describe(), "0 to 1");
        assert_eq!(Range::at_least(3.0).describe(), "at least 3");
        assert_eq!(OPEN.describe(), "greater than -1 and less than 1");
        let fps = Range {
            max: Some(240.0),
            ..Range::above(0.0)
        };
        assert_eq!(fps.describe(), "greater than 0 and at most 240");
        assert_eq!(Range::ANY.describe(), "a finite number");
    }

    #[test]
    fn the_nearest_number_lies_inside() {
        let ranges = [
            Range::ANY,
            OPEN,
            Range::above(0.0),
            Range::above(1e30),
            Range::at_least(3.0),
            Range::between(-2.0, -1.0),
        ];
        for range in ranges {
            for value in [
                f64::NAN,
                f64::INFINITY,
                f64::NEG_INFINITY,
                -1e300,
                -1.0,
                0.0,
                1.0,
                1e300,
            ] {
                let nearest = range.nearest(value);
                assert!(range.contains(nearest), "{range:?} {value} {nearest}");
            }
        }
        assert_eq!(Range::between(0.0, 1.0).nearest(7.0), 1.0);
        assert_eq!(Range::at_least(3.0).nearest(f64::NAN), 3.0);
        assert_eq!(Range::above(0.0).nearest(-5.0), 1e-9);
        assert_eq!(Range::ANY.nearest(f64::INFINITY), 0.0);
    }
}
