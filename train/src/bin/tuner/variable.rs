//! What is varied: a number of the search, several in proportion, or several that change places with other values.

use std::collections::BTreeMap;

use search::{TUNABLES, Tunable};
use train::tuning::spsa::Parameter;

/// The numbers of one side of a pair, by name.
pub(crate) type Numbers = BTreeMap<&'static str, i32>;

/// Why something cannot be varied.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum VariableError {
    /// There is no such number.
    #[error("no number is called {0}")]
    NoNumber(String),
    /// A value that the number cannot have.
    #[error("{name} is from {min} to {max}, not {value}")]
    NoValue { name: &'static str, min: i32, max: i32, value: String },
    /// A value is missing.
    #[error("what is {0} to be? write {0}=VALUE")]
    Valueless(&'static str),
    /// Two variables set one number.
    #[error("{0} is varied twice")]
    Twice(&'static str),
}

/// Something that is varied.
#[derive(Clone, Debug)]
pub(crate) enum Variable {
    /// A number by itself.
    Number(Tunable),
    /// Numbers that grow and shrink together, in percent of their defaults.
    Group { name: String, members: Vec<Tunable> },
    /// Numbers that all have their default or all another value.
    Switch { text: String, values: Vec<(Tunable, i32)> },
}

impl Variable {
    /// The range of a group, in percent.
    const GROUP_RANGE: (i32, i32) = (40, 250);
    /// The step of a group, in percent.
    const GROUP_STEP: f64 = 5.0;

    /// Reads `name`, or `group=name,name`.
    pub(crate) fn tuned(text: &str) -> Result<Self, VariableError> {
        let Some((name, members)) = text.split_once('=') else { return find(text).map(Self::Number) };
        let members = members.split(',').map(find).collect::<Result<_, _>>()?;
        Ok(Self::Group { name: name.to_owned(), members })
    }

    /// Reads `name=value,name=value`.
    pub(crate) fn switched(text: &str) -> Result<Self, VariableError> {
        let setting = |part: &str| {
            let (name, value) = part.split_once('=').map_or((part, None), |(name, value)| (name, Some(value)));
            let tunable = find(name)?;
            let text = value.ok_or(VariableError::Valueless(tunable.name))?;
            let Tunable { name, min, max, .. } = tunable;
            let value = text.parse().ok().filter(|value| (min..=max).contains(value));
            let value = value.ok_or_else(|| VariableError::NoValue { name, min, max, value: text.to_owned() })?;
            Ok((tunable, value))
        };
        let values = text.split(',').map(setting).collect::<Result<_, _>>()?;
        Ok(Self::Switch { text: text.to_owned(), values })
    }

    /// What a tuner moves: `steps` times as far as usual.
    pub(crate) fn parameter(&self, steps: f64) -> Parameter {
        let parameter = |name: &str, value, (min, max): (i32, i32), step| Parameter {
            name: name.to_owned(),
            value,
            min: min.into(),
            max: max.into(),
            step,
            lead: 0.0,
        };
        match self {
            // On or off: halfway, so that either is tried as often.
            Self::Switch { text, .. } => parameter(text, 0.5, (0, 1), 0.5),
            Self::Number(Tunable { name, min, max, .. }) if max - min == 1 => parameter(name, 0.5, (*min, *max), 0.5),
            Self::Number(Tunable { name, default, min, max, step, .. }) => {
                let step = f64::from(*step);
                parameter(name, f64::from(*default), (*min, *max), if step == 1.0 { step } else { step * steps })
            }
            Self::Group { name, .. } => parameter(name, 100.0, Self::GROUP_RANGE, Self::GROUP_STEP * steps),
        }
    }

    /// Gives the numbers what this value of the parameter means.
    pub(crate) fn set(&self, value: i32, numbers: &mut Numbers) {
        match self {
            Self::Number(tunable) => {
                numbers.insert(tunable.name, value);
            }
            Self::Group { members, .. } => {
                let scaled = |number: i32| (f64::from(number) * f64::from(value) / 100.0).round() as i32;
                numbers.extend(members.iter().map(|member| (member.name, scaled(member.default))));
            }
            Self::Switch { values, .. } => {
                let chosen = |tunable: &Tunable, other| if value == 1 { other } else { tunable.default };
                numbers.extend(values.iter().map(|(tunable, other)| (tunable.name, chosen(tunable, *other))));
            }
        }
    }

    fn names(&self) -> impl Iterator<Item = &'static str> {
        let names: Vec<_> = match self {
            Self::Number(tunable) => vec![tunable.name],
            Self::Group { members, .. } => members.iter().map(|member| member.name).collect(),
            Self::Switch { values, .. } => values.iter().map(|(tunable, _)| tunable.name).collect(),
        };
        names.into_iter()
    }
}

fn find(name: &str) -> Result<Tunable, VariableError> {
    let found = TUNABLES.iter().find(|tunable| tunable.name == name);
    found.copied().ok_or_else(|| VariableError::NoNumber(name.to_owned()))
}

/// Makes sure that each number belongs to one variable.
pub(crate) fn check(variables: &[Variable]) -> Result<(), VariableError> {
    let mut seen = Numbers::new();
    let mut names = variables.iter().flat_map(Variable::names);
    names.find(|name| seen.insert(name, 0).is_some()).map_or(Ok(()), |name| Err(VariableError::Twice(name)))
}

/// The numbers of one side, from the values of all variables.
pub(crate) fn numbers(variables: &[Variable], values: &[i32]) -> Numbers {
    let mut numbers = Numbers::new();
    variables.iter().zip(values).for_each(|(variable, &value)| variable.set(value, &mut numbers));
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_groups_and_switches_set_what_they_say() {
        let [base, factor] = ["lmr_base", "lmr_factor"].map(|name| find(name).unwrap());
        let variables = [
            Variable::tuned("rfp_depth").unwrap(),
            Variable::tuned("lmr=lmr_base,lmr_factor").unwrap(),
            Variable::switched("futility_base=70,futility_margin=55").unwrap(),
        ];
        assert_eq!(check(&variables), Ok(()));
        let set = numbers(&variables, &[7, 150, 1]);
        let half_more = |tunable: Tunable| (f64::from(tunable.default) * 1.5).round() as i32;
        let expected = [
            ("futility_base", 70),
            ("futility_margin", 55),
            ("lmr_base", half_more(base)),
            ("lmr_factor", half_more(factor)),
            ("rfp_depth", 7),
        ];
        assert_eq!(set, Numbers::from(expected));
        assert_eq!(numbers(&variables[2..], &[0])["futility_base"], find("futility_base").unwrap().default);

        let [_, group, switch] = variables.map(|variable| variable.parameter(2.0));
        assert_eq!((group.value, group.step, switch.value, switch.step), (100.0, 10.0, 0.5, 0.5));
        assert_eq!(switch.name, "futility_base=70,futility_margin=55");
    }

    #[test]
    fn what_cannot_be_varied_is_named() {
        let error = |text| Variable::switched(text).unwrap_err().to_string();
        assert_eq!(error("nonsense=1"), "no number is called nonsense");
        assert_eq!(error("rfp_depth"), "what is rfp_depth to be? write rfp_depth=VALUE");
        assert_eq!(error("rfp_depth=9,rfp_depth=much"), "rfp_depth is from 4 to 14, not much");
        assert_eq!(error("rfp_depth=99"), "rfp_depth is from 4 to 14, not 99");
        assert!(Variable::tuned("lmr=lmr_base,nonsense").is_err());
        let twice = ["rfp_depth", "depths=iir_depth,rfp_depth"].map(|text| Variable::tuned(text).unwrap());
        assert_eq!(check(&twice), Err(VariableError::Twice("rfp_depth")));
    }
}
