import './parts/api/schemas-without-eval.ts'
import { begin } from './app/start/begin.ts'

void begin()
