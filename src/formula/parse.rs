//! From tokens to steps in the order of evaluation, by precedence climbing.

mod refusals;

use super::ast::{ByteRange, Expr, Kind, Node, Path, Step, StepKind};
use super::error::FormulaError;
use super::functions::{self, Function, called};
use super::lexer::{Lexer, Token, TokenKind};
use super::mistakes;

/// How many brackets, arguments, signs and branches may lie within one another.
pub const DEPTH_LIMIT: usize = 64;

/// Most bytes of a formula: what is read of one at a time must not cost more memory than a spec.
const LONGEST: usize = 1 << 16;

/// Precedence, weakest first: `? :` stands below all.
mod level {
    pub const OR: u8 = 1;
    pub const AND: u8 = 2;
    pub const NOT: u8 = 3;
    pub const COMPARISON: u8 = 4;
    pub const SUM: u8 = 5;
    pub const PRODUCT: u8 = 6;
}

/// Reads a formula.
///
/// Fails at the first mistake, with its place in `text` and what to write instead.
pub fn parse(text: &str) -> Result<Expr, FormulaError> {
    if text.trim().is_empty() {
        let mistake = FormulaError::new("empty-formula", 0..text.len(), "the formula is empty");
        return Err(mistake.label("write a number, such as `0`"));
    }
    if text.len() > LONGEST {
        let message = format!("a formula of {} bytes: at most {LONGEST}", text.len());
        let mistake = FormulaError::new("long-formula", 0..text.len(), message);
        return Err(mistake.note("divide it into channels"));
    }
    let mut parser = Parser::new(text, 0)?;
    parser.ternary()?;
    match parser.token.kind {
        TokenKind::End => Ok(parser.finish()),
        _ => Err(parser.unexpected(None)),
    }
}

/// Reads the formula that begins at byte `start`, up to the end or to a `:` that belongs to no `?`.
///
/// Gives that byte too. Fails as [`parse`] does.
pub(super) fn parse_until_colon(text: &str, start: usize) -> Result<(Expr, usize), FormulaError> {
    let mut parser = Parser::new(text, start)?;
    parser.ternary()?;
    match parser.token.kind {
        TokenKind::End | TokenKind::Colon => {
            let stop = parser.token.range.start;
            Ok((parser.finish(), stop))
        }
        _ => Err(parser.unexpected(None)),
    }
}

/// Reads the name of a point, list, channel or output: `tip`, `arm.end`, `balls[3]`, `.at`.
///
/// Fails if the text is anything but one name.
pub fn parse_name(text: &str) -> Result<Path, FormulaError> {
    let not_a_name = |range| {
        FormulaError::new(
            "not-a-name",
            range,
            format!("`{}` is not a name", text.trim()),
        )
        .label("a name is written as in `tip`, `arm.end` or `balls[3]`")
    };
    if text.trim().is_empty() {
        let mistake = FormulaError::new("not-a-name", 0..text.len(), "the name is empty");
        return Err(mistake.label("a name is written as in `tip`, `arm.end` or `balls[3]`"));
    }
    let mut parser = Parser::new(text, 0)?;
    if !matches!(parser.token.kind, TokenKind::Name | TokenKind::Dot) {
        return Err(not_a_name(0..text.len()));
    }
    let path = parser.path()?;
    match parser.token.kind {
        TokenKind::End => Ok(path),
        _ => Err(not_a_name(0..text.len())),
    }
}

struct Parser<'a> {
    text: &'a str,
    lexer: Lexer<'a>,
    /// The next token, not yet taken.
    token: Token,
    /// The token taken last.
    previous: Option<Token>,
    /// The operand read last, for messages.
    operand: ByteRange,
    nodes: Vec<Node>,
    warnings: Vec<FormulaError>,
    depth: usize,
    /// The function whose argument is being read, if it takes degrees; also within further calls.
    degrees: Option<&'static Function>,
}

impl<'a> Parser<'a> {
    fn new(text: &'a str, start: usize) -> Result<Self, FormulaError> {
        let mut lexer = Lexer::new(text, start);
        Ok(Self {
            token: lexer.next()?,
            text,
            lexer,
            previous: None,
            operand: start..start,
            nodes: Vec::new(),
            warnings: Vec::new(),
            depth: 0,
            degrees: None,
        })
    }

    fn finish(self) -> Expr {
        Expr {
            nodes: self.nodes,
            warnings: self.warnings,
        }
    }

    /// Takes the next token.
    fn advance(&mut self) -> Result<Token, FormulaError> {
        let taken = std::mem::replace(&mut self.token, self.lexer.next()?);
        self.previous = Some(taken.clone());
        Ok(taken)
    }

    fn push(&mut self, range: &ByteRange, kind: Kind) {
        self.nodes.push(Node {
            range: range.clone(),
            kind,
        });
    }

    /// Lets the last step stand for more text: the brackets around it.
    fn widen(&mut self, range: &ByteRange) {
        if let Some(node) = self.nodes.last_mut() {
            node.range = range.clone();
        }
    }

    /// Reads a part that lies within another.
    fn nested(
        &mut self,
        part: fn(&mut Self) -> Result<ByteRange, FormulaError>,
    ) -> Result<ByteRange, FormulaError> {
        if self.depth == DEPTH_LIMIT {
            let message = format!("the formula is nested more than {DEPTH_LIMIT} levels deep");
            let mistake = FormulaError::new("nested-too-deep", self.token.range.clone(), message);
            return Err(mistake.label("give a part of it a name of its own under `channels`"));
        }
        self.depth += 1;
        let range = part(self)?;
        self.depth -= 1;
        Ok(range)
    }

    /// `condition ? this : that` and everything that binds closer.
    fn ternary(&mut self) -> Result<ByteRange, FormulaError> {
        let condition = self.binary(level::OR)?;
        if self.token.kind != TokenKind::Question {
            return Ok(condition);
        }
        let question = self.advance()?.range;
        self.nested(Self::ternary)?;
        match self.token.kind {
            TokenKind::Colon => self.advance()?,
            _ if self.begins_value() => return Err(self.unexpected(None)),
            _ => {
                let mistake = FormulaError::new("missing-colon", question, "this `?` has no `:`");
                return Err(mistake.label("write `condition ? this : that`"));
            }
        };
        let otherwise = self.nested(Self::ternary)?;
        let range = condition.start..otherwise.end;
        self.push(&range, Kind::Apply(&functions::SELECT));
        Ok(range)
    }

    /// Operators of at least the given level; those of one level from left to right.
    fn binary(&mut self, least: u8) -> Result<ByteRange, FormulaError> {
        let mut left = match self.token.kind {
            TokenKind::Not if least <= level::NOT => self.negation()?,
            _ => self.unary()?,
        };
        while let Some((level, function)) =
            operator(self.token.kind).filter(|(level, _)| *level >= least)
        {
            let number = self.previous.clone();
            let sign = self.advance()?.range;
            self.refuse_percent(number, &sign)?;
            let right = self.binary(level + 1)?;
            if level == level::COMPARISON
                && operator(self.token.kind).is_some_and(|(next, _)| next == level)
            {
                return Err(self.chained_comparison(&left, &sign, &right));
            }
            left = left.start..right.end;
            self.push(&left, Kind::Apply(function));
        }
        Ok(left)
    }

    /// `not` and the comparison after it.
    fn negation(&mut self) -> Result<ByteRange, FormulaError> {
        let word = self.advance()?.range;
        let operand = self.nested(|parser| match parser.token.kind {
            TokenKind::Not => parser.negation(),
            _ => parser.binary(level::COMPARISON),
        })?;
        let range = word.start..operand.end;
        self.push(&range, Kind::Apply(&functions::NOT));
        Ok(range)
    }

    fn unary(&mut self) -> Result<ByteRange, FormulaError> {
        let sign = self.token.kind;
        if !matches!(sign, TokenKind::Plus | TokenKind::Minus) {
            return self.primary();
        }
        let start = self.advance()?.range.start;
        let operand = self.nested(Self::unary)?;
        let range = start..operand.end;
        if sign == TokenKind::Minus {
            self.push(&range, Kind::Apply(&functions::NEGATE));
        }
        Ok(range)
    }

    /// A number, a name, a call or something in brackets.
    fn primary(&mut self) -> Result<ByteRange, FormulaError> {
        let range = match self.token.kind {
            TokenKind::Number(value) => {
                let range = self.advance()?.range;
                self.push(&range, Kind::Number(value));
                range
            }
            TokenKind::Name | TokenKind::Dot => self.name_or_call()?,
            TokenKind::OpenRound => self.group()?,
            _ => return Err(self.missing_value()),
        };
        self.operand = range.clone();
        Ok(range)
    }

    fn group(&mut self) -> Result<ByteRange, FormulaError> {
        let open = self.advance()?.range;
        self.nested(Self::ternary)?;
        let range = open.start..self.close(&open)?.end;
        self.widen(&range);
        Ok(range)
    }

    /// Takes the `)` that belongs to an opening bracket.
    fn close(&mut self, open: &ByteRange) -> Result<ByteRange, FormulaError> {
        match self.token.kind {
            TokenKind::CloseRound => Ok(self.advance()?.range),
            _ => Err(self.unexpected(Some(open))),
        }
    }

    fn name_or_call(&mut self) -> Result<ByteRange, FormulaError> {
        let path = self.path()?;
        let range = path.range.clone();
        if self.token.kind == TokenKind::OpenRound {
            let Some(name) = path.as_word() else {
                return Err(self.called_path(&path));
            };
            let function =
                called(name).ok_or_else(|| mistakes::unknown_function(name, range.clone()))?;
            return self.call(function, range.start);
        }
        if let Some(function) = self.degrees.filter(|_| path.as_word() == Some("pi")) {
            self.warnings
                .push(mistakes::radians(function.name, range.clone()));
        }
        self.push(&range, Kind::Path(path));
        Ok(range)
    }

    /// The arguments of a function whose name has been taken.
    fn call(
        &mut self,
        function: &'static Function,
        start: usize,
    ) -> Result<ByteRange, FormulaError> {
        let open = self.advance()?.range;
        let around = self.degrees;
        if function.takes_degrees {
            self.degrees = Some(function);
        }
        let count = self.arguments(function, start)?;
        self.degrees = around;
        let range = start..self.close(&open)?.end;
        if count < function.least || count > function.most {
            return Err(mistakes::argument_count(function, count, range));
        }
        let is_folded = function.most == usize::MAX;
        if !is_folded {
            // Only a seed may be left out, and then it is 0.
            for _ in count..function.apply.arity() {
                self.push(&range, Kind::Number(0.0));
            }
            self.push(&range, Kind::Apply(function));
        }
        self.widen(&range);
        Ok(range)
    }

    /// Reads arguments up to the closing bracket and counts them.
    fn arguments(
        &mut self,
        function: &'static Function,
        start: usize,
    ) -> Result<usize, FormulaError> {
        if self.token.kind == TokenKind::CloseRound {
            return Ok(0);
        }
        let mut count = 0;
        loop {
            let argument = self.nested(Self::ternary)?;
            count += 1;
            if function.most == usize::MAX && count > 1 {
                self.push(&(start..argument.end), Kind::Apply(function));
            }
            if self.token.kind != TokenKind::Comma {
                return Ok(count);
            }
            self.advance()?;
        }
    }

    /// A name with its outputs and indices.
    fn path(&mut self) -> Result<Path, FormulaError> {
        let start = self.token.range.start;
        let element = self.token.kind == TokenKind::Dot;
        if element {
            self.advance()?;
        }
        let mut steps = vec![self.word()?];
        loop {
            let end = steps.last().map_or(start, |step: &Step| step.range.end);
            match self.token.kind {
                // `a .b` is two names, not one.
                TokenKind::Dot if self.token.range.start == end => {
                    self.advance()?;
                    steps.push(self.word()?);
                }
                TokenKind::OpenSquare => steps.push(self.index()?),
                _ => {
                    let range = start..end;
                    return Ok(Path {
                        range,
                        element,
                        steps,
                    });
                }
            }
        }
    }

    /// A word of a name.
    fn word(&mut self) -> Result<Step, FormulaError> {
        let after_dot = self
            .previous
            .as_ref()
            .filter(|token| token.kind == TokenKind::Dot);
        let dot = after_dot.map(|token| token.range.clone());
        if dot
            .as_ref()
            .is_some_and(|dot| dot.end != self.token.range.start)
        {
            return Err(self.name_missing(dot));
        }
        match self.token.kind {
            TokenKind::Name => {
                let range = self.advance()?.range;
                let kind = StepKind::Name(String::from(self.quote(&range)));
                Ok(Step { range, kind })
            }
            TokenKind::And | TokenKind::Or | TokenKind::Not => {
                let word = self.quote(&self.token.range);
                let message = format!("`{word}` is a word of the language and cannot be a name");
                Err(FormulaError::new(
                    "reserved-word",
                    self.token.range.clone(),
                    message,
                ))
            }
            _ => Err(self.name_missing(dot)),
        }
    }

    fn name_missing(&self, dot: Option<ByteRange>) -> FormulaError {
        let range = dot.unwrap_or_else(|| self.token.range.clone());
        FormulaError::new("missing-name", range, "a name is missing after this dot")
    }

    /// `[3]`
    fn index(&mut self) -> Result<Step, FormulaError> {
        let open = self.advance()?.range;
        let text = self.quote(&self.token.range);
        let is_whole = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        // The same limit on every machine.
        let index = text.parse::<u32>().ok().filter(|_| is_whole);
        let Some(index) = index.and_then(|index| usize::try_from(index).ok()) else {
            return Err(self.bad_index(&open));
        };
        self.advance()?;
        if self.token.kind == TokenKind::End {
            return Err(self.unexpected(Some(&open)));
        }
        if self.token.kind != TokenKind::CloseSquare {
            return Err(self.bad_index(&open));
        }
        let close = self.advance()?.range;
        Ok(Step {
            range: open.start..close.end,
            kind: StepKind::Index(index),
        })
    }
}

/// The operator between two values.
fn operator(token: TokenKind) -> Option<(u8, &'static Function)> {
    Some(match token {
        TokenKind::Or => (level::OR, &functions::OR),
        TokenKind::And => (level::AND, &functions::AND),
        TokenKind::Equal => (level::COMPARISON, &functions::EQUAL),
        TokenKind::NotEqual => (level::COMPARISON, &functions::NOT_EQUAL),
        TokenKind::Less => (level::COMPARISON, &functions::LESS),
        TokenKind::LessEqual => (level::COMPARISON, &functions::LESS_EQUAL),
        TokenKind::Greater => (level::COMPARISON, &functions::GREATER),
        TokenKind::GreaterEqual => (level::COMPARISON, &functions::GREATER_EQUAL),
        TokenKind::Plus => (level::SUM, &functions::ADD),
        TokenKind::Minus => (level::SUM, &functions::SUBTRACT),
        TokenKind::Star => (level::PRODUCT, &functions::MULTIPLY),
        TokenKind::Slash => (level::PRODUCT, &functions::DIVIDE),
        TokenKind::Percent => (level::PRODUCT, &functions::REMAINDER),
        _ => return None,
    })
}
