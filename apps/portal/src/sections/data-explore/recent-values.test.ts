import { beforeEach, expect, test, vi } from 'vitest'
import { keepOpened, keptOpened } from './opened-items.ts'
import { mostRecent, withDrawn } from './recent-values.ts'

const value = (path: string) => ({ device: 'oven', path })
const [air, burner, power] = ['air', 'burner', 'power'].map(value) as [Value, Value, Value]
type Value = ReturnType<typeof value>

test('what is drawn now is the first of what was drawn last, and the oldest goes [R-16]', () => {
  const look = { color: 1, axis: 'left', hidden: false } as const
  expect(withDrawn([air, power], [{ ...burner, ...look }, air])).toEqual([air, burner, power])
  const many = Array.from({ length: mostRecent }, (_, at) => value(`${at}`))
  expect(withDrawn(many, [air])).toEqual([air, ...many.slice(0, -1)])
  expect(withDrawn([], [...many, air])).toEqual([air, ...many.slice(1).toReversed()])
})

test('what was drawn last already is kept as it is, so that nothing is written', () => {
  const recent = [air, burner, power]
  expect(withDrawn(recent, [burner, air])).toBe(recent)
  expect(withDrawn(recent, [])).toBe(recent)
})

beforeEach(() => {
  const kept = new Map<string, string>()
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => kept.set(key, text),
  })
  return () => vi.unstubAllGlobals()
})

test('what was opened or closed in a tree stays so in this tab, for one organization', () => {
  keepOpened('nordwerk', 'oven', true)
  keepOpened('nordwerk', 'press', false)
  const kept = (organization: string) =>
    ['oven', 'press', 'fan'].map((id) => keptOpened(organization, id))
  expect(kept('nordwerk')).toEqual([true, false, undefined])
  expect(kept('acqua')).toEqual([undefined, undefined, undefined])
  keepOpened('acqua', 'fan', true)
  expect(kept('acqua')).toEqual([undefined, undefined, true])
})

test('of very many opened items the first are forgotten', () => {
  for (let at = 0; at < 302; at += 1) keepOpened('nordwerk', `device ${at}`, true)
  keepOpened('nordwerk', 'device 2', false)
  expect([0, 1, 2, 3, 301].map((at) => keptOpened('nordwerk', `device ${at}`))).toEqual([
    undefined,
    undefined,
    false,
    true,
    true,
  ])
})
