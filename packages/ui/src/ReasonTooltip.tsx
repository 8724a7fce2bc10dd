import { Tooltip } from '@mantine/core'
import type { ReactElement } from 'react'

/** Tooltip of `Hint` and `Reason`, loaded when there is one to show. */
export const ReasonTooltip = ({ text, children }: { text: string; children: ReactElement }) => (
  <Tooltip label={text}>{children}</Tooltip>
)
