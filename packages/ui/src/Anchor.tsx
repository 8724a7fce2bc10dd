import { type RefCallback, type RefObject, useLayoutEffect } from 'react'

type Props = { to: RefObject<Element | null>; ref?: RefCallback<Element> }

/** Target of a popover for an element that is drawn elsewhere, before the popover's file is there. */
export function Anchor({ to, ref }: Props) {
  useLayoutEffect(() => {
    ref?.(to.current)
    return () => void ref?.(null)
  }, [to, ref])
  return null
}
