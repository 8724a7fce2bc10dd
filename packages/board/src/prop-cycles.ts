import { orderOf } from '@longreach/formula/cycles'
import { keyOfSource, type Resolved } from './resolve.ts'

/** Order in which bound properties are worked out, and those that read each other in a circle: these are null. */
export function orderOfProps({ props }: Pick<Resolved, 'props'>) {
  const needs = new Map(
    props.map(({ instance, prop, inputs }) => [
      keyOfSource({ kind: 'prop', instance, prop }),
      Object.values(inputs),
    ]),
  )
  return orderOf(needs)
}
