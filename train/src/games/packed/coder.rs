//! The entropy coder: choices with known frequencies as bits, by asymmetric numeral systems.
//!
//! Source: Duda, "Asymmetric numeral systems" (2013), in the form of Giesen's `ryg_rans`. What is coded last is decoded
//! first, so the encoder keeps all choices of a block and codes them from the last to the first.

/// Bits of the sum of the frequencies of a choice.
pub(super) const FREQUENCY_BITS: u32 = 16;
/// The state lies in `LOWEST..LOWEST << 32` between choices.
const LOWEST: u64 = 1 << 31;

/// Codes choices: either takes them or tells them, so that one piece of code models both directions.
pub(super) trait Coder {
    /// One of several candidates. Their frequencies add up to `1 << FREQUENCY_BITS`, and there are at least two. An
    /// encoder takes `choice` and returns it; a decoder ignores it and returns the one that was encoded.
    fn choose(&mut self, choice: usize, frequencies: &[u32]) -> usize;

    /// Whether the bytes ended before the choices did; the choices since are made up.
    fn is_exhausted(&self) -> bool;
}

/// Takes choices and turns them into bytes.
#[derive(Debug, Default)]
pub(super) struct Encoder {
    /// Of each choice, the sum of the frequencies before it, and its own.
    choices: Vec<(u16, u16)>,
}

impl Coder for Encoder {
    fn choose(&mut self, choice: usize, frequencies: &[u32]) -> usize {
        let before: u32 = frequencies[..choice].iter().sum();
        self.choices.push((before as u16, frequencies[choice] as u16));
        choice
    }

    fn is_exhausted(&self) -> bool {
        false
    }
}

impl Encoder {
    /// The bytes of all choices.
    pub(super) fn finish(&self) -> Vec<u8> {
        let mut state = LOWEST;
        let mut words = Vec::new();
        for &(before, frequency) in self.choices.iter().rev() {
            let frequency = u64::from(frequency);
            if state >= ((LOWEST >> FREQUENCY_BITS) << 32) * frequency {
                words.push(state as u32);
                state >>= 32;
            }
            state = ((state / frequency) << FREQUENCY_BITS) + state % frequency + u64::from(before);
        }
        words.extend([state as u32, (state >> 32) as u32]);
        words.iter().rev().flat_map(|word| word.to_le_bytes()).collect()
    }
}

/// Tells the choices that bytes hold.
#[derive(Debug)]
pub(super) struct Decoder<'a> {
    words: &'a [[u8; 4]],
    state: u64,
    is_exhausted: bool,
}

impl<'a> Decoder<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        let mut decoder = Self { words: bytes.as_chunks().0, state: 0, is_exhausted: false };
        decoder.state = decoder.next_word() << 32 | decoder.next_word();
        decoder
    }

    /// Whether the bytes are used up and the encoder began where the decoder ended.
    pub(super) const fn is_at_end(&self) -> bool {
        self.words.is_empty() && self.state == LOWEST && !self.is_exhausted
    }

    fn next_word(&mut self) -> u64 {
        if let Some((word, rest)) = self.words.split_first() {
            self.words = rest;
            u32::from_le_bytes(*word).into()
        } else {
            self.is_exhausted = true;
            0
        }
    }
}

impl Coder for Decoder<'_> {
    fn choose(&mut self, _: usize, frequencies: &[u32]) -> usize {
        let place = (self.state & ((1 << FREQUENCY_BITS) - 1)) as u32;
        let (mut choice, mut before) = (0, 0);
        while choice + 1 < frequencies.len() && before + frequencies[choice] <= place {
            before += frequencies[choice];
            choice += 1;
        }
        let frequency = u64::from(frequencies[choice]);
        self.state = frequency * (self.state >> FREQUENCY_BITS) + u64::from(place - before);
        if self.state < LOWEST {
            self.state = self.state << 32 | self.next_word();
        }
        choice
    }

    fn is_exhausted(&self) -> bool {
        self.is_exhausted
    }
}
