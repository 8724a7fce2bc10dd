import { Modal } from '@mantine/core'
import type { ComponentProps } from 'react'
import { useWords } from './use-words.ts'

type Props = Omit<ComponentProps<typeof Modal>, 'opened' | 'closeButtonProps'>

/** Dialog above the page, shown for as long as it is drawn. */
export function Dialog(props: Props) {
  const t = useWords()
  return <Modal opened {...props} closeButtonProps={{ 'aria-label': t('ui.close') }} />
}
