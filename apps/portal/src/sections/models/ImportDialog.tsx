import { useWords } from '@longreach/ui/use-words'
import { Dialog } from '@longreach/ui/Dialog'
import { Button, FileButton, Group, Textarea } from '@mantine/core'
import { useState } from 'react'
import { type FileProblem, type ModelFile, readModelFile } from './model-file.ts'
import shared from './models.module.css'
import classes from './ImportDialog.module.css'
import { useProblemText } from '../../parts/formulas/problem-text.ts'

type Props = { onImport: (file: ModelFile) => void; onClose: () => void }

/** A model from a file or pasted, with what is wrong by line; nothing is saved by it. */
export function ImportDialog({ onImport, onClose }: Props) {
  const t = useWords()
  const [text, setText] = useState('')
  const { file, problems } = text.trim() === '' ? { problems: [] } : readModelFile(text)
  return (
    <Dialog onClose={onClose} title={t('models.importTitle')} size="lg">
      <form
        className={shared.stack}
        onSubmit={(event) => {
          event.preventDefault()
          if (file) onImport(file)
        }}
      >
        <p className={shared.dim}>{t('models.importText')}</p>
        <FileButton
          accept="application/json,.json"
          onChange={(chosen) => {
            if (chosen) void chosen.text().then(setText)
          }}
        >
          {(props) => (
            <Button {...props} variant="default" className={classes.start ?? ''}>
              {t('models.chooseFile')}
            </Button>
          )}
        </FileButton>
        <Textarea
          label={t('models.orPaste')}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          autosize
          minRows={8}
          maxRows={16}
          spellCheck={false}
          classNames={{ input: classes.code ?? '' }}
          data-autofocus
        />
        <FileProblems problems={problems} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {t('ui.cancel')}
          </Button>
          <Button type="submit" disabled={!file}>
            {t('models.openInEditor')}
          </Button>
        </Group>
      </form>
    </Dialog>
  )
}

function FileProblems({ problems }: { problems: readonly FileProblem[] }) {
  const t = useWords()
  const told = useProblemText()
  if (problems.length === 0) return null
  return (
    <ul className={shared.problems} role="alert">
      {problems.map((problem, index) => (
        <li key={index}>
          {t('models.atLine', { line: problem.line, column: problem.column })} {told(problem)}
        </li>
      ))}
    </ul>
  )
}
