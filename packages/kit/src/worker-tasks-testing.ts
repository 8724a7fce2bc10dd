import { AppError } from './errors.ts'

// Tasks that harm their thread, for tests.

export const double = (n: number) => n * 2

export function refuse() {
  throw new AppError(422, 'x.wrong')
}

export function never() {
  for (let n = 0; ; n += 1) if (n < 0) return n
}

export function allMemory() {
  const all: unknown[] = []
  for (;;) all.push(Array.from({ length: 1_000 }, () => ({})))
}

export const leave = () => process.exit(1)

export function broken() {
  throw new TypeError('broken')
}
