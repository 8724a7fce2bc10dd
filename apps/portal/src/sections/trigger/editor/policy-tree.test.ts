import type { Policy } from '@longreach/rules/policy'
import { expect, test } from 'vitest'
import {
  pathOfPart,
  withAdded,
  withMoved,
  withoutGroup,
  withoutPartAt,
  withWrapped,
} from './policy-tree.ts'

const leaf = (uuid: string): Policy => ({ type: 'PASSTHROUGH', modelPathMatcher: uuid, uuid })
const and = (uuid: string, ...innerPolicies: Policy[]): Policy => ({
  type: 'AND_OPERATOR',
  innerPolicies,
  uuid,
})
const or = (uuid: string, ...innerPolicies: Policy[]): Policy => ({
  type: 'OR_OPERATOR',
  innerPolicies,
  uuid,
})

/** Shape of a policy: `&(a |(b c))`. */
function shapeOf(policy: Policy | undefined): string {
  if (policy === undefined) return 'none'
  if (!('innerPolicies' in policy)) return policy.uuid ?? ''
  const kind = policy.type === 'AND_OPERATOR' ? '&' : '|'
  return `${kind}(${policy.innerPolicies.map(shapeOf).join(' ')})`
}

const root = and('r', leaf('a'), or('o', leaf('b'), leaf('c')), leaf('d'))

/** Shapes on the way of a part through the policy, until it cannot go on. */
function wayOf(uuid: string, step: -1 | 1) {
  const shapes: string[] = []
  let policy: Policy | undefined = root
  while (policy !== undefined && shapes.length < 20) {
    shapes.push(shapeOf(policy))
    policy = withMoved(policy, pathOfPart(policy, uuid) ?? [], step)
  }
  return shapes
}

test('a part goes through every place in the order of reading, down and up', () => {
  expect(wayOf('a', 1)).toEqual([
    '&(a |(b c) d)',
    '&(|(a b c) d)',
    '&(|(b a c) d)',
    '&(|(b c a) d)',
    '&(|(b c) a d)',
    '&(|(b c) d a)',
  ])
  expect(wayOf('d', -1)).toEqual([
    '&(a |(b c) d)',
    '&(a |(b c d))',
    '&(a |(b d c))',
    '&(a |(d b c))',
    '&(a d |(b c))',
    '&(d a |(b c))',
  ])
})

test('a group that loses its last part goes with it, and the root does not move', () => {
  const lonely = and('r', or('o', leaf('b')), leaf('d'))
  expect(shapeOf(withMoved(lonely, [0, 0], 1))).toBe('&(b d)')
  expect(shapeOf(withMoved(lonely, [0, 0], -1))).toBe('&(b d)')
  expect(withMoved(root, [], 1)).toBeUndefined()
  expect(withMoved(leaf('a'), [], -1)).toBeUndefined()
})

test('parts are added to a group, and to one condition by a group around both', () => {
  expect(shapeOf(withAdded(root, [1], leaf('e')))).toBe('&(a |(b c e) d)')
  expect(shapeOf(withAdded(leaf('a'), [], leaf('e')))).toBe('&(a e)')
})

test('of a group with one part left that part stays; the last part of a group takes the group with it', () => {
  expect(shapeOf(withoutPartAt(root, [1, 0]))).toBe('&(a c d)')
  expect(shapeOf(withoutPartAt(and('r', leaf('a'), leaf('b')), [0]))).toBe('b')
  expect(shapeOf(withoutPartAt(and('r', or('o', leaf('b')), leaf('d'), leaf('e')), [0, 0]))).toBe(
    '&(d e)',
  )
  expect(shapeOf(withoutPartAt(leaf('a'), []))).toBe('a')
})

test('a part is put into a group of the other kind, and a group is dissolved', () => {
  expect(shapeOf(withWrapped(root, [0]))).toBe('&(|(a) |(b c) d)')
  expect(shapeOf(withWrapped(root, [1, 1]))).toBe('&(a |(b &(c)) d)')
  expect(shapeOf(withoutGroup(root, [1]))).toBe('&(a b c d)')
  expect(shapeOf(withoutGroup(root, []))).toBe(shapeOf(root))
})
