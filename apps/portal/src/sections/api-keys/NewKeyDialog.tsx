import { useWords } from '@longreach/ui/use-words'
import { Modal } from '@mantine/core'
import { useState } from 'react'
import type { ApiKey } from './api-key-calls.ts'
import { KeyShown } from './KeyShown.tsx'
import { NewKeyForm } from './NewKeyForm.tsx'

/** Makes a key and shows it, once. */
export function NewKeyDialog({ onClose }: { onClose: () => void }) {
  const t = useWords()
  const [made, setMade] = useState<ApiKey>()
  return (
    <Modal
      opened
      size="lg"
      onClose={onClose}
      closeOnClickOutside={false}
      closeOnEscape={!made}
      title={made ? t('api-keys.madeTitle', { label: made.label }) : t('api-keys.new')}
      closeButtonProps={{ 'aria-label': t('ui.close') }}
    >
      {made ? (
        <KeyShown apiKey={made} onClose={onClose} />
      ) : (
        <NewKeyForm onMade={setMade} onCancel={onClose} />
      )}
    </Modal>
  )
}
