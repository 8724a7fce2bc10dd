import { limits } from './limits.ts'
import { numberOf, textOf, truthOf } from './convert.ts'
import type { FormulaValue } from './tree.ts'

/** Function of the formula language; `run` gets the values of its arguments. */
type FormulaFunction = {
  /** Signature for editors. */
  signature: string
  least: number
  most: number
  run: (args: readonly FormulaValue[]) => FormulaValue
}

const many = 100

/** Function over numbers; null when any argument is not a number. */
const ofNumbers = (
  signature: string,
  run: (...numbers: number[]) => number | null,
  most?: number,
): FormulaFunction => {
  const names = signature.slice(signature.indexOf('(') + 1, -1)
  const count = names === '' ? 0 : names.split(',').length
  const least = names.split(',').filter((name) => name !== '' && !name.includes('?')).length
  return {
    signature,
    least,
    most: most ?? count,
    run: (args) => {
      const numbers: number[] = []
      for (const arg of args) {
        const number = numberOf(arg)
        if (number === null) return null
        numbers.push(number)
      }
      return run(...numbers)
    },
  }
}

const ofTexts = (
  signature: string,
  run: (one: string, other: string) => FormulaValue,
): FormulaFunction => {
  const count = signature.split(',').length
  return {
    signature,
    least: count,
    most: count,
    run: ([one = null, other = null]) => {
      const [text, part] = [textOf(one), count === 1 ? '' : textOf(other)]
      return text === null || part === null ? null : run(text, part)
    },
  }
}

const rounded = (x: number, digits = 0) => {
  if (!Number.isInteger(digits) || Math.abs(digits) > 15) return null
  // By the decimal text, because 1.005 times 100 is 100.49999999999999.
  const shifted = Number(`${x}e${digits}`)
  const whole = Number.isNaN(shifted) ? x : Math.sign(shifted) * Math.round(Math.abs(shifted))
  const back = Number(`${whole}e${-digits}`)
  return Number.isNaN(back) ? x : back
}

const bitOf = (x: number, n: number) =>
  Number.isSafeInteger(x) && Number.isInteger(n) && n >= 0 && n < 64
    ? Number((BigInt.asUintN(64, BigInt(x)) >> BigInt(n)) & 1n)
    : null

const bitsOf = (x: number, mask: number) =>
  Number.isSafeInteger(x) && Number.isSafeInteger(mask)
    ? Number(BigInt.asIntN(64, BigInt(x) & BigInt(mask)))
    : null

const scaled = (...[x = 0, inMin = 0, inMax = 0, outMin = 0, outMax = 0]: number[]) =>
  inMin === inMax ? null : outMin + ((x - inMin) / (inMax - inMin)) * (outMax - outMin)

const clampedTo = (x: number, low: number, high: number) =>
  low > high ? null : Math.min(high, Math.max(low, x))

const any = (
  signature: string,
  counts: readonly [number, number],
  run: FormulaFunction['run'],
): FormulaFunction => ({ signature, least: counts[0], most: counts[1], run })

/** Functions by name; a `Map`, so that inherited property names are not functions. */
export const functions: ReadonlyMap<string, FormulaFunction> = new Map(
  [
    ofNumbers('abs(x)', Math.abs),
    ofNumbers('min(x, …)', Math.min, many),
    ofNumbers('max(x, …)', Math.max, many),
    ofNumbers('sum(x, …)', (...all) => all.reduce((sum, one) => sum + one, 0), many),
    ofNumbers('avg(x, …)', (...all) => all.reduce((sum, one) => sum + one, 0) / all.length, many),
    ofNumbers('round(x, digits?)', rounded),
    ofNumbers('floor(x)', Math.floor),
    ofNumbers('ceil(x)', Math.ceil),
    ofNumbers('trunc(x)', Math.trunc),
    ofNumbers('sign(x)', Math.sign),
    ofNumbers('sqrt(x)', Math.sqrt),
    ofNumbers('log(x)', Math.log),
    ofNumbers('log10(x)', Math.log10),
    ofNumbers('log2(x)', Math.log2),
    ofNumbers('exp(x)', Math.exp),
    ofNumbers('pow(x, y)', (x, y) => x ** y),
    ofNumbers('mod(x, y)', (x, y) => x - y * Math.floor(x / y)),
    ofNumbers('sin(x)', Math.sin),
    ofNumbers('cos(x)', Math.cos),
    ofNumbers('tan(x)', Math.tan),
    ofNumbers('asin(x)', Math.asin),
    ofNumbers('acos(x)', Math.acos),
    ofNumbers('atan(x)', Math.atan),
    ofNumbers('atan2(y, x)', Math.atan2),
    ofNumbers('pi()', () => Math.PI),
    ofNumbers('clamp(x, low, high)', clampedTo),
    ofNumbers('scale(x, inMin, inMax, outMin, outMax)', scaled),
    ofNumbers('bitAnd(x, mask)', bitsOf),
    any('bit(x, n)', [2, 2], ([x = null, n = null]) => {
      const [whole, place] = [numberOf(x), numberOf(n)]
      const found = whole === null || place === null ? null : bitOf(whole, place)
      return found === null ? null : found === 1
    }),
    any('isNull(x)', [1, 1], ([x = null]) => x === null),
    any('coalesce(x, …)', [1, many], (args) => args.find((one) => one !== null) ?? null),
    any('bool(x)', [1, 1], ([x = null]) => truthOf(x)),
    any('number(x)', [1, 1], ([x = null]) => {
      if (typeof x !== 'string') return numberOf(x)
      const number = x.trim() === '' || x.length > 400 ? NaN : Number(x)
      return Number.isFinite(number) ? number : null
    }),
    any('text(x)', [1, 1], ([x = null]) => textOf(x)),
    ofTexts('length(text)', (text) => text.length),
    ofTexts('upper(text)', (text) => text.toUpperCase()),
    ofTexts('lower(text)', (text) => text.toLowerCase()),
    ofTexts('trim(text)', (text) => text.trim()),
    ofTexts('contains(text, part)', (text, part) => text.includes(part)),
    ofTexts('startsWith(text, part)', (text, part) => text.startsWith(part)),
    ofTexts('endsWith(text, part)', (text, part) => text.endsWith(part)),
  ].map((one) => [nameOf(one.signature), one] as const),
)

/** Conditional function: the branch that is not chosen is not evaluated. */
export const conditionFunction = { signature: 'if(condition, yes, no)', least: 3, most: 3 }

type HistoryFunction = { signature: string; needsWindow: boolean }
/** Functions over past values; the first argument is a path, the second seconds. */
export const historyFunctions: ReadonlyMap<string, HistoryFunction> = new Map(
  [
    'previous(path)',
    'delta(path)',
    'rate(path)',
    'avgOver(path, seconds)',
    'minOver(path, seconds)',
    'maxOver(path, seconds)',
    'sumOver(path, seconds)',
    'countOver(path, seconds)',
  ].map((signature) => [nameOf(signature), { signature, needsWindow: signature.includes(',') }]),
)

function nameOf(signature: string) {
  return signature.slice(0, signature.indexOf('('))
}

/** Signatures of all functions, by name. */
export const signatures: ReadonlyMap<string, string> = new Map([
  ['if', conditionFunction.signature],
  ...[...functions, ...historyFunctions].map(([name, { signature }]) => [name, signature] as const),
])

/** Result limited to valid values: infinities and texts that are too long become null. */
export function tamed(value: FormulaValue): FormulaValue {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  return typeof value === 'string' && value.length > limits.text ? null : value
}
