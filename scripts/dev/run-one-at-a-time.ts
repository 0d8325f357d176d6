/** A function that runs the task, and if it is called meanwhile, once more when the task has ended. */
export function runOneAtATime(task: () => Promise<void>): () => void {
  let isRunning = false;
  let isAskedAgain = false;
  return function run() {
    isAskedAgain = isRunning;
    if (isRunning) return;
    isRunning = true;
    void task().finally(() => {
      isRunning = false;
      if (isAskedAgain) run();
    });
  };
}
