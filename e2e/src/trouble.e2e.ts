import { expect, test } from 'vitest'
import { runTrouble } from './trouble/run.ts'

// A short run of `npm run trouble`, which goes on for as long as it is told to.
const seed = Number(process.env['TROUBLE_SEED'] ?? Math.floor(Math.random() * 2 ** 31))

test('three servers that are killed, stopped and out of room keep what they promise [A-05] [C-20] [C-21]', async () => {
  const told: string[] = []
  const { faults, figures } = await runTrouble({
    seed,
    seconds: 75,
    say: (text) => void told.push(text),
  })
  const again = `npm run trouble -- --minutes 1.25 --seed ${seed}`
  if (faults.length > 0) throw new Error([again, ...faults, ...told].join('\n'))
  expect(figures.get('acknowledged values looked up')).toBeGreaterThan(100)
}, 900_000)
