import { Tooltip } from '@mantine/core'
import type { ReactElement } from 'react'

/** The tooltip of `Reason`, loaded when there is one to show. */
export const ReasonTooltip = ({ text, children }: { text: string; children: ReactElement }) => (
  <Tooltip label={text}>{children}</Tooltip>
)
