import { parentPort } from 'node:worker_threads'
import { extractText } from './extract-text.ts'

// The script of the thread that reads the text of one PDF.

parentPort?.once('message', (bytes: Uint8Array) => {
  void extractText(bytes).then((response) => parentPort?.postMessage(response))
})
