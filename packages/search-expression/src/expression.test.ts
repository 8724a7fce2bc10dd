import { expect, test } from 'vitest'
import { parseExpression } from './expression.ts'

const shown = (source: string) => {
  const parsed = parseExpression(source)
  return parsed.ok ? text(parsed.expression) : `${parsed.at}: ${parsed.message}`
}
type Parsed = Extract<ReturnType<typeof parseExpression>, { ok: true }>['expression']
function text(one: Parsed): string {
  switch (one.kind) {
    case 'not':
      return `!(${text(one.operand)})`
    case 'compare':
      return `${one.field}${one.operator}${JSON.stringify(one.value)}`
    case 'in':
      return `${one.field} in ${JSON.stringify(one.values)}`
    default:
      return `(${text(one.left)} ${one.kind} ${text(one.right)})`
  }
}

test.each([
  ['label == "a"', 'label=="a"'],
  ['a > 1 and b <= -2.5e3 or c != true', '((a>1 and b<=-2500) or c!=true)'],
  ['a > 1 and (b < 2 or c >= 3)', '(a>1 and (b<2 or c>=3))'],
  ['not a == null and b ~= "x"', '(!(a==null) and b~="x")'],
  ['NOT (a !~= "x")', '!(a!~="x")'],
  ['label.keyword in ("a", "b\\"c")', 'label.keyword in ["a","b\\"c"]'],
  ['attributes.site-name in [1,true]', 'attributes.site-name in [1,true]'],
  [
    '(status != "CLEARED" and ( status == "ACTIVE" or ack == "REQUIRED" ) )',
    '(status!="CLEARED" and (status=="ACTIVE" or ack=="REQUIRED"))',
  ],
])('%s is read as %s', (source, wanted) => {
  expect(shown(source)).toBe(wanted)
})

test.each([
  ['', '0: expected a field, found the end'],
  ['label', '5: expected a comparison, found the end'],
  ['label = 1', '6: unexpected ='],
  ['label == "a', '9: a text that does not end'],
  ['a == 1 b == 2', '7: unexpected b'],
  ['(a == 1', '7: expected ), found the end'],
  ['a in (1, )', '9: expected a value, found )'],
  ['a == b', '5: expected a value, found b'],
  ['a == 1; drop table device', '6: unexpected ;'],
])('%s is refused: %s', (source, message) => {
  expect(shown(source)).toBe(message)
})

test('parentheses without end do not exhaust the stack', () => {
  expect(shown('('.repeat(100_000))).toMatch(/nested deeper than 100/)
})
