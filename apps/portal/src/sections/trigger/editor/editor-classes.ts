import form from '../../../parts/forms/editor.module.css'
import own from './editor.module.css'
import trial from './trial.module.css'

type Classes = Readonly<Record<string, string | undefined>>

/** Classes of the editor: those of every editor beside a preview, and its own. */
export const classes: Classes = {
  ...form,
  ...own,
  form: form.fields,
  partFields: `${form.pair} ${own.partFields}`,
}

/** Classes of the trial beside the editor. */
export const trialClasses: Classes = { ...form, ...trial }
