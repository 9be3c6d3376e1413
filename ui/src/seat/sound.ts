// Quiet sounds, made here: a card on cloth, a chip on a chip, a bell. Off unless the player turns them on.
let context: AudioContext | undefined

function audio(): AudioContext {
  context ??= new AudioContext()
  void context.resume()
  return context
}

function noise(seconds: number, pitch: number, loud: number): void {
  const out = audio()
  const buffer = out.createBuffer(1, Math.ceil(out.sampleRate * seconds), out.sampleRate)
  const samples = buffer.getChannelData(0)
  for (let i = 0; i < samples.length; i++) samples[i] = (Math.random() * 2 - 1) * (1 - i / samples.length) ** 2
  const source = new AudioBufferSourceNode(out, { buffer })
  const filter = new BiquadFilterNode(out, { type: 'bandpass', frequency: pitch, Q: 0.8 })
  source.connect(filter).connect(new GainNode(out, { gain: loud })).connect(out.destination)
  source.start()
}

function tone(pitch: number, after: number, seconds: number, loud: number): void {
  const out = audio()
  const begin = out.currentTime + after
  const source = new OscillatorNode(out, { frequency: pitch })
  const gain = new GainNode(out, { gain: 0 })
  gain.gain.setValueAtTime(loud, begin)
  gain.gain.exponentialRampToValueAtTime(0.0001, begin + seconds)
  source.connect(gain).connect(out.destination)
  source.start(begin)
  source.stop(begin + seconds)
}

export const sounds = {
  card: () => noise(0.09, 2400, 0.25),
  chip: () => [0, 0.055].forEach((after) => tone(2900, after, 0.05, 0.06)),
  bell: () => [1318.5, 2637].forEach((pitch) => tone(pitch, 0, 1.1, 0.07)),
}
