import fc from 'fast-check'

// Every run asks the same questions, so that a fault can be repeated; `npm run fuzz` asks others.
const { FUZZ_SEED } = process.env
fc.configureGlobal({ seed: FUZZ_SEED ? Number(FUZZ_SEED) : 20_261_121 })
