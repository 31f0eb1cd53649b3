throw new Error('the runtime of the editor');
