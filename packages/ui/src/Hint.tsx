import { cloneElement, type ReactElement } from 'react'
import { late } from './late.tsx'
import { type Hinted, useHint } from './use-hint.ts'

const HintText = late(() => import('./HintText.tsx'), 'HintText')

/** `text`: such as why a control may not be used; undefined: there is nothing to say. */
type Props = { text: string | undefined; children: ReactElement<Hinted> }

/**
 * Text about an element, on hover and on focus. The file that places it loads at the first of them; the element stays
 * the same, with its focus.
 */
export function Hint({ text, children }: Props) {
  const { id, near, opened, hinted } = useHint(children.props, text !== undefined)
  return (
    <>
      {cloneElement(children, hinted)}
      {near && text !== undefined && <HintText id={id} text={text} target={near} opened={opened} />}
    </>
  )
}
