import { Tooltip } from '@mantine/core'

type Props = { id: string; text: string; target: Element; opened: boolean }

/** Text of a `Hint` beside its element. */
export const HintText = ({ id, text, target, opened }: Props) => (
  // Mantine asks for an HTMLElement here, and any element has a place.
  <Tooltip label={<span id={id}>{text}</span>} target={target as HTMLElement} opened={opened} />
)
